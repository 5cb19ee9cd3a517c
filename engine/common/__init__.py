"""What every room uses: errors, files, locks, work spread over processes, progress, interrupts."""
