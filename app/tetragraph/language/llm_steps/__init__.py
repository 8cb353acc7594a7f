"""Steps of a language model, each with its own prompt: requests and the interpretation of replies."""
