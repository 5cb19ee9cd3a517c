"""The gate: what strangers give is opened, unpacked and bounded here."""
