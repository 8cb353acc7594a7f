"""Runs commands in a network of their own that answers nothing, and records what they try to reach.

Usage: unshare --map-root-user --net --mount python watched_network.py RECORD COMMANDS [--unwatched]

COMMANDS is a JSON list of argument lists. RECORD becomes a JSON object: ``names``, the names that were looked up;
``addresses``, those outside loopback to which a packet was sent; ``outputs``, the standard output of each command;
``codes``, their exit codes. With ``--unwatched`` the commands run in the network of the machine, and names and
addresses are null. Needs Linux, namespaces of users and ``ip``.
"""

from __future__ import annotations

import ipaddress
import json
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

NAMESPACE = ("unshare", "--map-root-user", "--net", "--mount")
"""Command that runs another one in a network of its own."""
_ETHERNET = 14
_ALL_PROTOCOLS = 0x0003


def has_namespaces() -> bool:
    """Whether this machine lets a test have a network of its own."""
    try:
        probe = subprocess.run([*NAMESPACE, "ip", "link"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return probe.returncode == 0


def open_network() -> None:
    """Route every address to loopback, and name this process as the only name server."""
    for command in (
        "ip link set lo up",
        "ip route add local 0.0.0.0/0 dev lo",
        "ip -6 route add local ::/0 dev lo",
    ):
        subprocess.run(command.split(), check=True)
    resolver = Path(tempfile.mkdtemp()) / "resolv.conf"
    resolver.write_text("nameserver 127.0.0.1\n", encoding="utf-8")
    subprocess.run(["/bin/mount", "--bind", resolver, "/etc/resolv.conf"], check=True)


def record_names(names: set[str]) -> None:
    """Listen as the name server, and record the names that are asked for; nothing is answered but their absence."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))
    while True:
        query, sender = server.recvfrom(4096)
        labels, place = [], 12
        while length := query[place]:
            labels.append(query[place + 1 : place + 1 + length].decode(errors="replace"))
            place += 1 + length
        names.add(".".join(labels))
        refused = query[:2] + b"\x81\x83" + query[4:6] + bytes(6) + query[12:]  # NXDOMAIN, with the question only
        server.sendto(refused, sender)


def record_addresses(addresses: set[str]) -> None:
    """Read every packet, and record the destinations outside loopback."""
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(_ALL_PROTOCOLS))
    packets.bind(("lo", 0))
    while True:
        packet = packets.recv(65535)[_ETHERNET:]
        version = packet[0] >> 4
        address = ipaddress.ip_address(packet[16:20] if version == 4 else packet[24:40])
        if not address.is_loopback and not address.is_multicast:
            addresses.add(str(address))


def main(record: Path, commands: list[list[str]], *, watched: bool) -> None:
    """Run the commands one after the other, and write the record."""
    names: set[str] = set()
    addresses: set[str] = set()
    if watched:
        open_network()
        threading.Thread(target=record_names, args=(names,), daemon=True).start()
        threading.Thread(target=record_addresses, args=(addresses,), daemon=True).start()
    outputs, codes = [], []
    for command in commands:
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
        outputs.append(ended.stdout.decode(errors="replace"))
        codes.append(ended.returncode)
    reached = {"names": sorted(names) if watched else None, "addresses": sorted(addresses) if watched else None}
    found = {**reached, "outputs": outputs, "codes": codes}
    record.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]), watched=sys.argv[3:] != ["--unwatched"])
