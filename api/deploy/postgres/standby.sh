#!/bin/bash
# Copies the primary at the first start, and follows it from then on.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # What a copy that broke off has left.
  rm -rf "$PGDATA" && mkdir -p "$PGDATA" && chmod 700 "$PGDATA"
  PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup --host postgres --username replicator --slot standby \
    --pgdata "$PGDATA" --wal-method stream --checkpoint fast --write-recovery-conf --progress
  [ "$(id -u)" != 0 ] || chown -R postgres:postgres "$PGDATA"
fi
exec docker-entrypoint.sh "$@"
