"""``python -m tetragraph`` is the ``tetragraph`` command."""

from tetragraph.cli import main

if __name__ == "__main__":
    main()
