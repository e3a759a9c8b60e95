#!/bin/sh
# Pushes listings to LotWatch with curl 7.71 or newer and jq.
#   INGEST_TOKEN=… sh push.sh SOURCE FILE
# FILE holds a JSON array of listings, or one listing a line. LOTWATCH_URL is http://localhost:4000 if unset.
# Exits with 1 if a listing was rejected or the file can't be read, and with curl's code if one could not be sent.
set -eu
[ $# -eq 2 ] || { echo "Usage: INGEST_TOKEN=… sh push.sh SOURCE FILE" >&2; exit 2; }
: "${INGEST_TOKEN:?is not set}"
url="${LOTWATCH_URL:-http://localhost:4000}/api/ingest/$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The token is no argument of curl's, as other users of this machine can read arguments.
(umask 077; printf 'Authorization: Bearer %s\n' "$INGEST_TOKEN" > "$folder/token")

# The whole file is read first, as a pipe would hide that jq could not read it to its end.
jq -c 'if type == "array" then .[] else . end' "$2" > "$folder/listings" ||
  { echo "Not sent: $2 can't be read as JSON" >&2; exit 1; }
# Batches of 1,000 lines and 5 MB at most.
LC_ALL=C awk -v folder="$folder" '
  { size = length($0) + 1 }
  NR == 1 || lines == 1000 || bytes + size > 5 * 1024 * 1024 { lines = 0; bytes = 0; batch++ }
  { lines++; bytes += size; print > sprintf("%s/batch-%06d", folder, batch) }' "$folder/listings"

# curl waits as long as Retry-After says. A batch may be sent again: what is stored already counts as unchanged.
code=0
for batch in "$folder"/batch-*; do
  [ -e "$batch" ] || continue
  curl -sS --fail --retry 8 --retry-connrefused -X POST "$url" \
    -H @"$folder/token" -H 'content-type: application/x-ndjson' --data-binary @"$batch" -o "$folder/answer"
  jq -r '.results[] | select(.status == "rejected") | "rejected \(.externalId // "(no id)"): \(.code), \(.reason)"' "$folder/answer"
  jq -c '{received, accepted, updated, unchanged, rejected}' "$folder/answer"
  [ "$(jq .rejected "$folder/answer")" -eq 0 ] || code=1
done
exit $code
