"""Consistency checks of the installation and its corpora, and repairs."""

from tetragraph.doctor.findings import Finding, HealthReport, State
from tetragraph.doctor.run_checks import check, check_installation, examine
from tetragraph.doctor.run_repairs import repair_connected, repair_installation

__all__ = [
    "Finding",
    "HealthReport",
    "State",
    "check",
    "check_installation",
    "examine",
    "repair_connected",
    "repair_installation",
]
