"""Steps that a language model does, each with a prompt of its own: requests, and what their replies mean."""
