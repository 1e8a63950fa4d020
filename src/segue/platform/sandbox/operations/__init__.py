"""The operations of the endpoints, with one module for each subject."""
