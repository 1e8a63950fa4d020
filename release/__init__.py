"""What a release is made of and held to: `python -m release` builds it and tries it."""
