"""What each endpoint does, a module a subject."""
