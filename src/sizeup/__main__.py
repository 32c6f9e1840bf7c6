"""``python -m sizeup`` is the command ``sizeup``."""

from sizeup.cli import main

if __name__ == "__main__":
    main()
