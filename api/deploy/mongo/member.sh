#!/bin/bash
# Starts a member of the replica set, whose key must be in a file of mongod's own.
set -euo pipefail
umask 077
printf '%s' "$MONGO_KEY" > /tmp/key
chown mongodb:mongodb /tmp/key
# The image makes a first user only where the set does not exist yet; that of make-set.sh belongs to all members.
unset MONGO_INITDB_ROOT_USERNAME MONGO_INITDB_ROOT_PASSWORD
exec docker-entrypoint.sh mongod --replSet lotwatch --keyFile /tmp/key --bind_ip_all
