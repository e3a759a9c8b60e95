#!/bin/sh
# Writes the two files that pgbouncer.ini names into a folder, and starts PgBouncer. From the environment:
#   UPSTREAM_HOST, UPSTREAM_PORT  the address of PostgreSQL
#   DATABASE, DATABASE_USER, DATABASE_PASSWORD
#   CONNECT_QUERY                 in place of the limits below
#   FOLDER                        where the files go (/tmp)
#   LISTEN_ADDR, LISTEN_PORT      in place of those of pgbouncer.ini
set -eu
folder=${FOLDER:-/tmp}
umask 077
# Each connection to the server gets the limits that LotWatch's own connections would ask for.
limits=${CONNECT_QUERY:-"set statement_timeout = 119000; set idle_in_transaction_session_timeout = 15000; set client_connection_check_interval = 5000"}
cat > "$folder/databases.ini" <<INI
[databases]
$DATABASE = host=$UPSTREAM_HOST port=${UPSTREAM_PORT:-5432} dbname=$DATABASE connect_query='$limits'
INI
printf '"%s" "%s"\n' "$DATABASE_USER" "$DATABASE_PASSWORD" > "$folder/userlist.txt"
# A second section of the same name would begin with the defaults, so that lines are replaced.
sed -e "s#/etc/pgbouncer/#$folder/#" -e "s#^listen_addr = .*#listen_addr = ${LISTEN_ADDR:-*}#" \
  -e "s#^listen_port = .*#listen_port = ${LISTEN_PORT:-6432}#" "$(dirname "$0")/pgbouncer.ini" > "$folder/pgbouncer.ini"
# PgBouncer refuses to run as root.
if [ "$(id -u)" = 0 ]; then
  chown nobody "$folder/databases.ini" "$folder/userlist.txt" "$folder/pgbouncer.ini"
  set -- -u nobody
fi
exec "${PGBOUNCER:-pgbouncer}" "$@" "$folder/pgbouncer.ini"
