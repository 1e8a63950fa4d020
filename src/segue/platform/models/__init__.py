"""Pydantic models of the platform's request bodies and answers, one module for each subject."""
