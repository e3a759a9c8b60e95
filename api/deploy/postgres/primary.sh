#!/bin/bash
# Runs once, when the cluster is made: a role with which the standby follows.
set -euo pipefail
echo "host replication replicator all scram-sha-256" >> "$PGDATA/pg_hba.conf"
psql -v ON_ERROR_STOP=1 -v password="$REPLICATION_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role replicator login replication password :'password';
select pg_create_physical_replication_slot('standby', true);
select pg_reload_conf();
SQL
