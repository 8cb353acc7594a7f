"""RL mode: a policy answers a question by querying the bipartite graph in several turns (BiG-RAG, section 4.4)."""
