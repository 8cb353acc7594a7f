"""Two published systems on our passages, questions and embedder, each in its own environment.

``python -m benchmarks.peers linearrag --checkout DIR --python VENV/bin/python --set musique_train --out DIR`` and
likewise ``hipporag``. A checkout is a clone of the system's repository (``peer.py`` says which, and which commit was
tried); nothing of it is copied here, and it is run as a separate program. Its environment needs the packages that
``--help`` lists, and no embedder: vectors come from this process, through a pipe.

The rankings are written as a TREC run file, which ``tetragraph eval`` reads beside its own runs, and next to it what
the system was set to and how long it took. The figures of a day go to ``benchmarks/results/peers-<date>.json``, with a
table beside it.
"""
