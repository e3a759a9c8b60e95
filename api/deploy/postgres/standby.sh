#!/bin/bash
# Copies the primary at the first start, and follows it from then on.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # A copy that broke off is not taken for a whole one.
  rm -rf "$PGDATA" "$PGDATA.part"
  PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup --host postgres --username replicator --slot standby \
    --pgdata "$PGDATA.part" --wal-method stream --checkpoint fast --write-recovery-conf --progress
  chmod 700 "$PGDATA.part"
  [ "$(id -u)" != 0 ] || chown -R postgres:postgres "$PGDATA.part"
  sync
  mv "$PGDATA.part" "$PGDATA"
fi
exec docker-entrypoint.sh "$@"
