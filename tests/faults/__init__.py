"""Faults as routine: killed writers, full disks, interrupts; run by ``python -m pytest tests/faults``."""
