"""Faults as routine: processes that are killed, disks that are full, folders that cannot be written."""
