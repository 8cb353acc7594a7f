"""Fits the trees that judge the lines of saved web pages, and writes ``page_lines.safetensors``.

    python -m benchmarks.web_pages.fit

Needs scikit-learn, which no extra installs. Prints, cross-validated by page in the parts that are not held out, what
share of the text that is left is furniture and what share of the content is kept, for thresholds on the probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from safetensors.numpy import save_file
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.web_pages.marked import PARTS, MarkedPage, read_marked, shares
from tetragraph.arrays import Array
from tetragraph.language.page_lines.model import WEIGHTS

TREES, RATE, LEAVES, LEAST_LINES, PENALTY = 60, 0.15, 16, 80, 5.0
SIZE_POWER = 0.7
"""A line weighs as its number of letters and digits to this power: long lines matter more, and short ones are many."""


def fit(pages: Sequence[MarkedPage]) -> Any:
    """Fit trees on pages, each as it is read with the others of its topic, and as it is read alone."""
    described = [page.describe() for page in pages] + [page.describe(alone=True) for page in pages]
    weights = np.concatenate([(page.sizes + 1) ** SIZE_POWER for page in pages] * 2)
    model = HistGradientBoostingClassifier(
        max_iter=TREES,
        learning_rate=RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=LEAST_LINES,
        l2_regularization=PENALTY,
        early_stopping=False,
        random_state=0,
    )
    labels = np.concatenate([page.is_furniture for page in pages] * 2)
    return model.fit(np.concatenate(described), labels, sample_weight=weights)


def pack(model: Any) -> dict[str, Array]:
    """The arrays of :class:`tetragraph.algorithms.boosted_trees.BoostedTrees`."""
    trees = [predictors[0].nodes for predictors in model._predictors]
    roots = np.cumsum([0, *map(len, trees)])[:-1]
    nodes = np.concatenate(trees)
    shift = np.repeat(roots, [len(tree) for tree in trees])
    is_leaf = nodes["is_leaf"].astype(bool)
    return {
        "base": np.array([float(model._baseline_prediction.ravel()[0])]),
        "roots": roots.astype(np.int64),
        "features": np.where(is_leaf, 0, nodes["feature_idx"]).astype(np.int64),
        "thresholds": np.where(is_leaf, 0, nodes["num_threshold"]).astype(np.float64),
        "left": np.where(is_leaf, 0, nodes["left"] + shift).astype(np.int64),
        "right": np.where(is_leaf, 0, nodes["right"] + shift).astype(np.int64),
        "values": np.where(is_leaf, nodes["value"], 0).astype(np.float64),
    }


def main() -> None:
    """Print what is recognised in pages that were not fitted, then fit on all parts that are not held out."""
    pages = [page for page in read_marked() if page.part]
    parts = [[page for page in pages if page.part == part] for part in range(1, PARTS)]
    models = [fit([page for page in pages if page.part != part]) for part in range(1, PARTS)]
    judged = [page for some in parts for page in some]
    for alone in (False, True):
        likely = [
            model.predict_proba(page.describe(alone=alone))[:, 1]
            for model, some in zip(models, parts, strict=True)
            for page in some
        ]
        print("each page read alone:" if alone else "pages read together:")
        for certain in np.arange(0.6, 0.93, 0.02):
            furniture, content = shares(judged, np.concatenate(likely) < certain)
            print(f"{certain:.2f}: {furniture:.1f} % furniture, {content:.1f} % of the content")
    save_file(pack(fit(pages)), WEIGHTS)


if __name__ == "__main__":
    main()
