"""Models of the platform's objects, with one module for each subject."""
