#!/usr/bin/env python3
"""Prints every record of a Trivet data folder, also after a crash, with Python's standard library alone.

  python3 scripts/read-data.py FOLDER                        one JSON object per record
  python3 scripts/read-data.py FOLDER --collection products  records of one collection
  python3 scripts/read-data.py FOLDER --count                how many records each collection has

Written from docs/formats.md and docs/notes/file-formats.md, without the program's own code: a second opinion on what
a folder contains, and a way to the records without Trivet. It changes nothing and needs no lock: read a copy or a backup
while the services run. Exit code 1 names what is damaged or missing. It reads no samples and no history of the monitor.
"""

import argparse
import json
import re
import sys
import zlib
from pathlib import Path

FORMAT = "trivet-store/1"
TAIL = re.compile(rb'\n,"checksum": "crc32:([0-9a-f]{8})"\n\}\n?$')
JOURNAL = re.compile(r"(.+)\.(\d{6,})\.journal")


class Damaged(Exception):
    """A file cannot be trusted."""


def read_snapshot(path):
    """Returns the document of a snapshot. A snapshot without a checksum was edited by hand, and is read as it is."""
    data = path.read_bytes()
    tail = TAIL.search(data)
    # Everything up to and with the line break before the checksum is covered.
    if tail is not None and zlib.crc32(data[: tail.start() + 1]) != int(tail.group(1), 16):
        raise Damaged(f"{path} does not match its checksum")
    try:
        document = json.loads(data)
    except ValueError as error:
        raise Damaged(f"{path} is not JSON: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Damaged(f"{path} is not in the format {FORMAT}")
    return document


def parse_line(line):
    """Returns the transaction of a journal line without its line break; None unless it is what was written."""
    if len(line) < 10 or line[8:9] != b" ":
        return None
    try:
        if int(line[:8], 16) != zlib.crc32(line[9:]):
            return None
        entry = json.loads(line[9:])
        return entry if isinstance(entry["ops"], list) else None
    except (ValueError, KeyError, TypeError):
        return None


def read_journal(path):
    """
    Returns the transactions of a journal, and how many bytes at its end never became durable.

    One bad line at the end is a torn write. Several are one only if they contain zero bytes (pages that never reached
    the disk) and each good line behind them belongs to the batch that was being written.
    """
    pieces = path.read_bytes().split(b"\n")
    rest = pieces.pop()
    entries = []
    bad = []
    for number, line in enumerate(pieces, 1):
        entry = parse_line(line)
        if not bad and entry is not None:
            if entries and entry["lsn"] != entries[-1]["lsn"] + 1:
                raise Damaged(f"{path} lacks transactions before line {number}")
            entries.append(entry)
        elif entry is None:
            bad.append(line)
        elif not any(b"\0" in each for each in bad) or (entries and entry["batch"] > entries[-1]["lsn"] + 1):
            raise Damaged(f"{path} is damaged at line {len(entries) + 1}")
        else:
            bad.append(line)
    if rest:
        bad.append(rest)
    if len(bad) > 1 and not any(b"\0" in each for each in bad):
        raise Damaged(f"{path} is damaged at line {len(entries) + 1}")
    return entries, sum(len(each) + 1 for each in bad)


def list_journals(snapshot_path):
    """Returns the journals beside a snapshot as pairs of generation and path, oldest first."""
    found = []
    for path in snapshot_path.parent.iterdir():
        match = JOURNAL.fullmatch(path.name)
        if match is not None and match.group(1) == snapshot_path.stem:
            found.append((int(match.group(2)), path))
    return sorted(found)


def read_store(snapshot_path):
    """Returns the records of a service by collection and ID: those of the snapshot with the changes since."""
    document = read_snapshot(snapshot_path)
    collections = {}
    for name, collection in document["collections"].items():
        documents = collection["documents"] if isinstance(collection, dict) else collection
        collections[name] = {record["id"]: record for record in documents}
    lsn = document["lsn"]
    journals = [(generation, path, *read_journal(path)) for generation, path in list_journals(snapshot_path)]
    named = document.get("journal")
    if named is not None and not any(generation == named and entries for generation, _, entries, _ in journals):
        raise Damaged(f"the journal {named} of {snapshot_path} is missing, or has lost its first line")
    torn = None
    for _, path, entries, torn_bytes in journals:
        if torn is not None and any(entry["ops"] for entry in entries):
            raise Damaged(f"{torn} is damaged, and a later journal goes on")
        torn = path if torn_bytes > 0 else torn
        if torn_bytes > 0:
            print(f"{path}: the last {torn_bytes} bytes were never acknowledged and are left out", file=sys.stderr)
        for entry in entries:
            if entry["lsn"] <= lsn:
                continue
            if entry["lsn"] != lsn + 1 or not entry["ops"]:
                raise Damaged(f"{path} lacks transactions {lsn + 1} to {entry['lsn'] - 1}")
            apply(collections, entry["ops"], path)
            lsn = entry["lsn"]
    return collections


def apply(collections, operations, path):
    """Changes the records as one transaction says."""
    for kind, name, subject in operations:
        if name not in collections:
            raise Damaged(f'{path} names the unknown collection "{name}"')
        if kind == "put":
            collections[name][subject["id"]] = subject
        elif kind == "remove":
            collections[name].pop(subject, None)
        else:
            raise Damaged(f'{path} contains the unknown operation "{kind}"')


def list_snapshots(folder):
    """Returns the snapshots of a data folder, a backup, or the folder of one service."""
    found = []
    for place in [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]:
        snapshot = place / f"{place.resolve().name}.json"
        journals = list(place.glob(f"{place.resolve().name}.*.journal"))
        if snapshot.is_file():
            found.append(snapshot)
        elif journals:
            raise Damaged(f"{snapshot} is missing, but there is a journal")
    return found


def show(folder, wanted, only_count):
    """Prints the records of all services, in the order of collections and IDs."""
    snapshots = list_snapshots(folder)
    if not snapshots:
        raise Damaged(f"{folder} is not a data folder: it contains no snapshot such as monitor/monitor.json")
    for snapshot in snapshots:
        for name, records in sorted(read_store(snapshot).items()):
            if wanted is not None and name != wanted:
                continue
            if only_count and records:
                print(f"{len(records):9}  {snapshot.stem}/{name}")
            if only_count:
                continue
            for _, record in sorted(records.items()):
                line = {"service": snapshot.stem, "collection": name, "record": record}
                print(json.dumps(line, ensure_ascii=False))


def main():
    """Runs the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path, help="a data folder, a backup, or the folder of one service in it")
    parser.add_argument("--collection", help="only the records of this collection")
    parser.add_argument("--count", action="store_true", help="only how many records there are")
    options = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8")
    try:
        show(options.folder, options.collection, options.count)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except (Damaged, OSError) as error:
        print(f"read-data.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
