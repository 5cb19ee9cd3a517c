"""The commands of ``parse-engine``, one module each."""
