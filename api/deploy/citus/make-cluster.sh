#!/bin/bash
# Makes the servers that SERVERS names a cluster with the coordinator. Where they are one, it changes nothing.
set -euo pipefail
sql() { psql -qAt -v ON_ERROR_STOP=1 --host coordinator --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" "$@"; }
sql --command "select citus_set_coordinator_host('coordinator', 5432)"
for server in $SERVERS; do
  sql --command "select citus_add_node('$server', 5432)"
done
