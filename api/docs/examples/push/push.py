#!/usr/bin/env python3
"""Pushes listings to LotWatch. Needs Python 3.8 and nothing else.

    INGEST_TOKEN=... python3 push.py SOURCE FILE

FILE holds a JSON array of listings, or one listing a line; "-" is the standard input.
LOTWATCH_URL is http://localhost:4000 if unset. Exits with 1 if a listing was rejected or could not be sent.
"""
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

MAX_ITEMS = 1000
MAX_BYTES = 5 * 1024 * 1024
MAX_TRIES = 8
COUNTS = ("received", "accepted", "updated", "unchanged", "rejected")


def listings_in(text):
    if text.lstrip().startswith("["):
        return json.loads(text)
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def batches_of(listings):
    """Bodies of one listing a line, none larger than LotWatch takes."""
    lines, size = [], 0
    for listing in listings:
        line = json.dumps(listing, ensure_ascii=False).encode()
        if lines and (len(lines) == MAX_ITEMS or size + len(line) + 1 > MAX_BYTES):
            yield b"\n".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 1
    if lines:
        yield b"\n".join(lines)


def push(url, token, body):
    """Sends one batch. It may be sent again: what is stored already counts as unchanged."""
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/x-ndjson"}
    for tries in range(1, MAX_TRIES + 1):
        seconds = min(60, 2**tries)
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=120) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            why = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code != 429 and error.code < 500:
                raise SystemExit("Not sent: " + why)
            after = error.headers.get("Retry-After", "")
            seconds = int(after) if after.isdigit() else seconds
        except OSError as error:
            why = str(error)
        if tries < MAX_TRIES:
            print(f"{why}: again in {seconds} s", file=sys.stderr)
            time.sleep(seconds)
    raise SystemExit("Not sent: " + why)


def main():
    token = os.environ.get("INGEST_TOKEN")
    if len(sys.argv) != 3 or not token:
        print("Usage: INGEST_TOKEN=... python3 push.py SOURCE FILE", file=sys.stderr)
        return 2
    source, name = sys.argv[1:]
    url = os.environ.get("LOTWATCH_URL", "http://localhost:4000") + "/api/ingest/" + source
    with sys.stdin if name == "-" else open(name, encoding="utf-8") as file:
        listings = listings_in(file.read())
    counts = dict.fromkeys(COUNTS, 0)
    for body in batches_of(listings):
        answer = push(url, token, body)
        for count in COUNTS:
            counts[count] += answer[count]
        for item in answer["results"]:
            if item["status"] == "rejected":
                print(f"rejected {item['externalId'] or '(no id)'}: {item['code']}, {item['reason']}")
    print(json.dumps(counts))
    return 1 if counts["rejected"] else 0


try:
    sys.exit(main())
except (OSError, ValueError, http.client.HTTPException) as error:
    raise SystemExit(f"Not sent: {error}")
