"""Tools to build and verify a release: `python -m release`."""
