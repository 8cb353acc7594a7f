"""Two published systems on our passages, questions and embedder, each in its own environment.

``python -m benchmarks.peers linearrag --checkout DIR --python VENV/bin/python --set musique_train --out DIR`` and
likewise ``hipporag``. A checkout is a clone of the system's repository (``peer.py`` says which, and which commit was
tried); nothing of it is copied here, and it is run as a separate program. Its environment needs the packages that an
error message lists, and neither torch's CUDA parts nor an embedder: vectors come from this process.

The rankings are written as a TREC run file, which ``tetragraph eval`` reads beside its own runs.
"""
