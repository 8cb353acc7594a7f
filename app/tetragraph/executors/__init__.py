"""Where the expensive computations of an ingest or a build run: in this process, or by workers of a Ray cluster."""

from tetragraph.executors.base import LOCAL, NAMES, Executor, ExecutorName, Step, map_in_order
from tetragraph.executors.opening import open_executor

__all__ = ["LOCAL", "NAMES", "Executor", "ExecutorName", "Step", "map_in_order", "open_executor"]
