"""The functions that perform requests to the endpoints of the sandbox, by subject."""
