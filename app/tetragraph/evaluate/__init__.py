"""Compare search methods on questions with known evidence: metrics, significance, reports that can be repeated."""
