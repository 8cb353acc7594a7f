"""Compiled loops that lower the structural entropy of a tree by moving one unit at a time.

A level of a tree is found by grouping *units*: nodes, or the communities of the level below. With ``W`` twice the
weight between the units of a group and ``V`` their volume, the groups of a level cost ``sum W log2(V / V_parent)``: the
entropy of the tree times the volume of the graph, up to a constant. Every move in this module lowers it.

Source:
    docs/encoding-tree.md, sections 2 to 4, after Blondel et al. (2008) and Traag et al. (2019).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tetragraph.algorithms.graph_kernels import compiled
from tetragraph.arrays import Flags, Floats, Ints, Labels

NEW = -1
"""Placeholder for the number of a new group."""


class Units(NamedTuple):
    """Nodes or parts of groups that are grouped, as a weighted graph of n units.

    Attributes:
        bounds: ``(n + 1,)`` start of the row of each unit, and the end of the last row.
        neighbours: ``(m2,)`` neighbours of the units, row by row; never the unit itself.
        weights: ``(m2,)`` edge weights, positive multiples of 2⁻²⁰.
        volumes: ``(n,)`` volume of each unit.
        inner: ``(n,)`` twice the weight inside a unit that counts towards its group.
        references: ``(n,)`` log2 of the parent's volume; neighbours have the same parent.
    """

    bounds: Labels
    neighbours: Ints
    weights: Floats
    volumes: Floats
    inner: Floats
    references: Floats


class Groups(NamedTuple):
    """Assignment of units to groups, and the cost of each group.

    Attributes:
        labels: ``(n,)`` group of each unit.
        sizes: ``(capacity,)`` number of units in each group.
        volumes: ``(capacity,)`` volume of each group.
        inner: ``(capacity,)`` twice the weight inside each group.
        costs: ``(capacity,)`` cost of each group, ``inner log2(volume / V_parent)``.
        free: ``(capacity,)`` stack of numbers for new groups.
        room: ``(2,)`` height of that stack, and smallest number that a new group may have.
    """

    labels: Labels
    sizes: Labels
    volumes: Floats
    inner: Floats
    costs: Floats
    free: Labels
    room: Labels


@compiled
def cost(inner: float, volume: float, reference: float) -> float:
    """Return the cost of a group, ``inner log2(volume / V_parent)``."""
    return inner * (math.log2(volume) - reference) if inner > 0 else 0.0


@compiled
def group(units: Units, labels: Labels, reserved: int) -> Groups:
    """Compute the groups of an assignment; labels below ``reserved`` are not reused, even when they are free."""
    capacity = reserved + len(labels)
    sizes = np.zeros(capacity, dtype=np.int64)
    volumes, inner, costs = np.zeros(capacity), np.zeros(capacity), np.zeros(capacity)
    for unit, label in enumerate(labels):
        sizes[label] += 1
        volumes[label] += units.volumes[unit]
        inner[label] += units.inner[unit]
        for edge in range(units.bounds[unit], units.bounds[unit + 1]):
            if labels[units.neighbours[edge]] == label:
                inner[label] += units.weights[edge]
    for unit, label in enumerate(labels):
        costs[label] = cost(inner[label], volumes[label], units.references[unit])
    free = np.empty(capacity, dtype=np.int64)
    room = np.array([0, reserved])
    for label in range(capacity - 1, reserved - 1, -1):
        if not sizes[label]:
            free[room[0]] = label
            room[0] += 1
    return Groups(labels, sizes, volumes, inner, costs, free, room)


@compiled
def gather(units: Units, labels: Labels, unit: int, weight_to: Floats, touched: Labels, found: int) -> int:
    """Add the unit's weight to each group to ``weight_to``; return the new number of groups in ``touched``."""
    for edge in range(units.bounds[unit], units.bounds[unit + 1]):
        label = labels[units.neighbours[edge]]
        if weight_to[label] == 0:
            touched[found] = label
            found += 1
        weight_to[label] += units.weights[edge]
    return found


@compiled
def forget(weight_to: Floats, touched: Labels) -> None:
    """Reset ``weight_to`` to 0."""
    for label in touched:
        weight_to[label] = 0.0


@compiled
def best_group(units: Units, groups: Groups, unit: int, weight_to: Floats, touched: Labels, tolerance: float) -> int:
    """Find the cheapest group of a unit: a neighbour's, a new one, or its own if none gains more than ``tolerance``.

    Ties go to the smallest group number.
    """
    own = groups.labels[unit]
    volume, inner, reference = units.volumes[unit], units.inner[unit], units.references[unit]
    rest = groups.inner[own] - 2 * weight_to[own] - inner
    least = groups.costs[own] - cost(rest, groups.volumes[own] - volume, reference) - tolerance
    best = int(own)
    for label in touched:
        if label != own:
            joined = cost(groups.inner[label] + 2 * weight_to[label] + inner, groups.volumes[label] + volume, reference)
            added = joined - groups.costs[label]
            if added < least or (added == least and best != own and label < best):
                best, least = label, added
    if groups.sizes[own] > 1 and cost(inner, volume, reference) < least:
        best = NEW
    return best


@compiled
def change(groups: Groups, label: int, size: int, volume: float, inner: float, reference: float) -> None:
    """Add (signed) amounts to a group; the number of a group that becomes empty becomes free."""
    groups.sizes[label] += size
    groups.volumes[label] += volume
    groups.inner[label] += inner
    if not groups.sizes[label]:
        groups.volumes[label] = groups.inner[label] = 0.0
        if label >= groups.room[1]:
            groups.free[groups.room[0]] = label
            groups.room[0] += 1
    groups.costs[label] = cost(groups.inner[label], groups.volumes[label], reference)


@compiled
def move(units: Units, groups: Groups, unit: int, target: int, weight_to: Floats) -> None:
    """Move a unit to another group."""
    own = groups.labels[unit]
    volume, inner, reference = units.volumes[unit], units.inner[unit], units.references[unit]
    change(groups, own, -1, -volume, -2 * weight_to[own] - inner, reference)
    gained = inner
    if target == NEW:
        groups.room[0] -= 1
        target = groups.free[groups.room[0]]
    else:
        gained += 2 * weight_to[target]
    groups.labels[unit] = target
    change(groups, target, 1, volume, gained, reference)


class Line(NamedTuple):
    """First-in, first-out queue of units to visit.

    Attributes:
        ring: ``(n,)`` ring buffer of units.
        is_waiting: ``(n,)`` whether a unit is in the queue.
        place: ``(2,)`` index of the next unit in the ring, and number of units in the queue.
    """

    ring: Labels
    is_waiting: Flags
    place: Labels


@compiled
def line_up(units: Units, queue: Labels) -> Line:
    """Create a queue of some units, none of them twice."""
    size = len(units.volumes)
    line = Line(np.empty(size, dtype=np.int64), np.zeros(size, dtype=np.bool_), np.array([0, len(queue)]))
    for place, unit in enumerate(queue):
        line.ring[place], line.is_waiting[unit] = unit, True
    return line


@compiled
def next_in(line: Line) -> int:
    """Remove the first unit from the queue and return it."""
    unit = line.ring[line.place[0]]
    line.place[0] = (line.place[0] + 1) % len(line.ring)
    line.place[1] -= 1
    line.is_waiting[unit] = False
    return int(unit)


@compiled
def call(line: Line, units: Units, labels: Labels, unit: int) -> None:
    """Append to the queue the neighbours of a unit that are outside its group."""
    for edge in range(units.bounds[unit], units.bounds[unit + 1]):
        other = units.neighbours[edge]
        if not line.is_waiting[other] and labels[other] != labels[unit]:
            line.ring[(line.place[0] + line.place[1]) % len(line.ring)] = other
            line.place[1] += 1
            line.is_waiting[other] = True


@compiled
def move_units(units: Units, groups: Groups, queue: Labels, budget: int, tolerance: float) -> tuple[int, Flags]:
    """Visit the units of a queue and move each to its best group; a move queues the neighbours outside the group.

    Args:
        units: The n units.
        groups: Groups of the units; changed in place.
        queue: Units to visit, without repetition.
        budget: Largest number of visits.
        tolerance: Decrease of the cost that a move must exceed.

    Returns:
        Number of moves, and ``(n,)`` whether a unit is still in the queue.
    """
    line, moves = line_up(units, queue), 0
    weight_to, touched = np.zeros(len(groups.sizes)), np.empty(len(groups.labels), dtype=np.int64)
    while line.place[1] and budget > 0:
        budget -= 1
        unit = next_in(line)
        found = gather(units, groups.labels, unit, weight_to, touched, 0)
        target = best_group(units, groups, unit, weight_to, touched[:found], tolerance)
        if target != groups.labels[unit]:
            move(units, groups, unit, target, weight_to)
            call(line, units, groups.labels, unit)
            moves += 1
        forget(weight_to, touched[:found])
    return moves, line.is_waiting


@compiled
def refine(units: Units, labels: Labels, tolerance: float) -> Labels:
    """Compute ``(n,)`` parts of the groups: each unit that is still alone joins the best part of its own group."""
    size = len(labels)
    parts = group(units, np.arange(size), 0)
    weight_to, touched = np.zeros(size), np.empty(size, dtype=np.int64)
    for unit in range(size):
        if parts.sizes[parts.labels[unit]] == 1:
            found = 0
            for edge in range(units.bounds[unit], units.bounds[unit + 1]):
                other = units.neighbours[edge]
                if labels[other] == labels[unit]:
                    part = parts.labels[other]
                    if weight_to[part] == 0:
                        touched[found] = part
                        found += 1
                    weight_to[part] += units.weights[edge]
            target = best_group(units, parts, unit, weight_to, touched[:found], tolerance)
            if target != parts.labels[unit]:
                move(units, parts, unit, target, weight_to)
            forget(weight_to, touched[:found])
    return parts.labels


@compiled
def merge(units: Units, parts: Labels, count: int) -> Units:
    """Merge every part into one unit; ``parts`` are numbered 0 to ``count - 1``."""
    volumes, inner, references = np.zeros(count), np.zeros(count), np.zeros(count)
    bounds = np.zeros(count + 1, dtype=np.int64)
    neighbours, weights = np.empty_like(units.neighbours), np.empty_like(units.weights)
    weight_to, touched = np.zeros(count), np.empty(count, dtype=np.int64)
    members, following = np.full(count, -1), np.empty_like(parts)
    for unit in range(len(parts) - 1, -1, -1):
        following[unit], members[parts[unit]] = members[parts[unit]], unit
    for part in range(count):
        found, end, unit = 0, bounds[part], members[part]
        while unit >= 0:
            volumes[part] += units.volumes[unit]
            inner[part] += units.inner[unit]
            references[part] = units.references[unit]
            found = gather(units, parts, unit, weight_to, touched, found)
            unit = following[unit]
        inner[part] += weight_to[part]
        weight_to[part] = 0.0
        for other in touched[:found]:
            if weight_to[other] > 0:
                neighbours[end], weights[end] = other, weight_to[other]
                weight_to[other] = 0.0
                end += 1
        bounds[part + 1] = end
    used = bounds[count]
    return Units(bounds, neighbours[:used].copy(), weights[:used].copy(), volumes, inner, references)
