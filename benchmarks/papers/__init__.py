"""The papers' tables that need no large language model, measured here and shown beside the published figures."""
