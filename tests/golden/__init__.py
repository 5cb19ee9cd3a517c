"""A net under large changes: everything that the program says and draws, written to a folder, and two folders compared.

    python -m tests.golden make FOLDER [--part fast|all] [--only NAME …]
    python -m tests.golden compare FOLDER_A FOLDER_B

The outputs are large and belong to no repository: make them before a change and after it, and compare.
"""
