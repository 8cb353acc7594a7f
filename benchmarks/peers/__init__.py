"""Two published systems on the same passages, questions and embedder, each in its own environment.

``python -m benchmarks.peers linearrag --checkout DIR --python VENV/bin/python --set musique_train --out DIR`` the same
with ``hipporag``. A checkout is a clone of the system's repository (``peer.py`` has its name and the tested commit);
nothing of it is copied here, and it is run as a separate program. Its environment needs the packages that ``--help``
lists, but no embedder: this process sends the vectors through a pipe.

The rankings are written as a TREC run file, which ``tetragraph eval`` can compare with its own runs, and a description
with settings and times. The figures of a day are written to ``benchmarks/results/peers-<date>.json``, and as a table to
the same folder.
"""
