"""Figures transcribed from the papers: table by table, in per cent where the papers have shares.

Where a table has two models, Qwen2.5 is taken; sets are named as here.

Sources: "iG²RAG: Information Gain Graph-based Retrieval-Augmented Generation". Wei et al., "Token-Free Hierarchical
Indexing for RAG beyond LLM-based Summarization" (SeRAG). Liu et al., "Graph-Anchored Knowledge Indexing for
Retrieval-Augmented Generation" (GraphAnchor). "BiG-RAG: Bipartite Graph Retrieval-Augmented Generation with Adaptive
Reasoning".
"""

from __future__ import annotations

ABLATION = {
    "Naive": {"musique": 38.91, "hotpotqa": 67.08},
    "Sim w/ PPR": {"musique": 38.34, "hotpotqa": 66.40},
    "iG² w/ GS": {"musique": 38.64, "hotpotqa": 68.52},
    "iG² w/ PPR": {"musique": 40.79, "hotpotqa": 69.33},
}
"""iG²RAG, table 4: F1."""
OVERALL = {"Naive": {"musique": 70.35, "hotpotqa": 93.85}, "iG² w/ PPR": {"musique": 70.57, "hotpotqa": 95.20}}
"""iG²RAG, table 2: Recall@10 of the two rows of table 4 that it has (Qwen3-Embedding-8B, and iG²RAG)."""
NEIGHBOURS = {
    "3": {"musique": 70.02, "hotpotqa": 95.15},
    "5": {"musique": 70.57, "hotpotqa": 95.20},
    "7": {"musique": 70.72, "hotpotqa": 95.06},
}
"""iG²RAG, tables 5 and 12: Recall@10 by top-n."""
SEEDS = {
    "1": {"musique": 53.96, "hotpotqa": 80.55},
    "3": {"musique": 70.57, "hotpotqa": 93.60},
    "5": {"musique": 70.57, "hotpotqa": 95.20},
    "7": {"musique": 72.15, "hotpotqa": 95.90},
}
"""iG²RAG, tables 6 and 13: Recall@10 by top-h."""
ALPHA = {
    "0.8": {"musique": 70.27, "hotpotqa": 95.05},
    "0.7": {"musique": 70.59, "hotpotqa": 95.25},
    "0.6": {"musique": 70.50, "hotpotqa": 95.20},
    "0.5": {"musique": 70.69, "hotpotqa": 95.20},
    "0.4": {"musique": 70.64, "hotpotqa": 95.25},
    "0.3": {"musique": 70.57, "hotpotqa": 95.20},
    "0.2": {"musique": 70.06, "hotpotqa": 95.20},
    "0.0": {"musique": 60.98, "hotpotqa": 87.95},
}
"""iG²RAG, table 10: Recall@10 by α."""
GROWTH = {
    "musique": {
        "1000": {"edges": 3648, "minutes": 25.63, "F1": 33.06},
        "1000 + 500": {"edges": 5079, "minutes": 16.03, "F1": 44.35},
        "1500 + 500": {"edges": 6679, "minutes": 13.50, "F1": 46.67},
        "2000 + 500": {"edges": 8173, "minutes": 14.02, "F1": 45.36},
    },
    "hotpotqa": {
        "1000": {"edges": 2858, "minutes": 25.88, "F1": 71.86},
        "1000 + 500": {"edges": 4403, "minutes": 13.27, "F1": 71.56},
        "1500 + 500": {"edges": 5980, "minutes": 13.33, "F1": 70.19},
        "2000 + 500": {"edges": 7550, "minutes": 13.34, "F1": 71.19},
    },
}
"""iG²RAG, table 14."""
EMBEDDERS = {
    "BGE-M3": {"dense": 61.89, "iG²RAG": 62.79},
    "text-embedding-v3": {"dense": 63.66, "iG²RAG": 64.27},
    "Qwen3-Embedding-8B": {"dense": 70.35, "iG²RAG": 71.63},
}
"""iG²RAG, table 17: recall on MuSiQue."""
TREE_ABLATION = {"SeRAG": 64.4, "w/o Self-Query": 63.6, "Semantic-Only": 61.3, "Single-Layer": 44.9}
"""SeRAG, table 2: Str-Acc on 2WikiMultiHopQA."""
TREE_RAW = {"hotpotqa": 63.3, "2wikimultihopqa": 63.6, "musique": 29.8}
"""SeRAG, table 6: Str-Acc w/o Self-Query, k = 3."""
TREE_BUDGET = {
    "hotpotqa": {3: 63.4, 7: 63.9},
    "2wikimultihopqa": {3: 64.4, 7: 67.1, 9: 66.8},
    "musique": {3: 29.7, 7: 31.8},
}
"""SeRAG, section 4.5: Str-Acc by k, where the text on figure 2 has a number."""
TREE_TIMES = {"indexing_s": 572.17, "retrieval_s": 1.093, "prompt_tokens": 380_000, "completion_tokens": 80_000}
"""SeRAG, table 3, 2WikiMultiHopQA."""
ANCHOR_ABLATION = {
    "Vanilla RAG": {"musique": 18.05, "hotpotqa": 50.93, "2wikimultihopqa": 38.54},
    "GraphAnchor": {"musique": 32.60, "hotpotqa": 66.03, "2wikimultihopqa": 61.64},
    "w/o Iterative Retrieval": {"musique": 16.89, "hotpotqa": 53.25, "2wikimultihopqa": 40.72},
    "w/o Graph": {"musique": 22.99, "hotpotqa": 55.05, "2wikimultihopqa": 50.64},
}
"""GraphAnchor, table 2, Qwen2.5-7B-Instruct: F1."""
PATHS = {"dual path": {"F1": 62.69, "R-S": 56.27}, "one path": {"F1": 51.82, "R-S": 48.91}}
"""BiG-RAG, table 2, HotpotQA: the full method, and "w/o Dual-Path Retrieval"."""
