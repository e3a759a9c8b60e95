#!/bin/bash
# Makes the replica set and its user, in the network of mongo1, which lets the first user be made from its own machine alone.
# Where both exist, it changes nothing.
set -euo pipefail
export USERNAME="$MONGO_INITDB_ROOT_USERNAME" PASSWORD="$MONGO_INITDB_ROOT_PASSWORD"
if mongosh --quiet --username "$USERNAME" --password "$PASSWORD" --authenticationDatabase admin \
  --eval 'db.getSiblingDB("lotwatch").agenda_jobs.findOne()' >/dev/null 2>&1; then
  exit 0
fi
mongosh --quiet --eval '
  try {
    const members = [1, 2, 3].map((n) => ({ _id: n, host: "mongo" + n + ":27017", priority: n === 1 ? 2 : 1 }));
    rs.initiate({ _id: "lotwatch", members });
  } catch (error) {
    if (error.codeName !== "AlreadyInitialized") throw error;
  }
  while (!db.hello().isWritablePrimary) sleep(500);
  db.getSiblingDB("admin").createUser({
    user: process.env.USERNAME,
    pwd: process.env.PASSWORD,
    roles: [{ role: "readWrite", db: "lotwatch" }],
  });'
