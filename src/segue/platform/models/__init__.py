"""The objects of the platform, a module a subject, with their wire names."""
