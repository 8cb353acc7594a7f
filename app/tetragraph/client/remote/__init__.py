"""The client of the HTTP service: the classes and methods of the local client over requests."""
