"""Why a parse is as it is, in words: headlines, reasons, and readings of the paper."""
