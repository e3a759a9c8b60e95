#!/usr/bin/env bash
# Builds FerretDB 1.24.2, a server that speaks MongoDB's protocol on SQLite, into the file "$1". Needs Go.
# Its version file is made at release and absent from the Go module, so a writable copy of the module gets one.
set -euo pipefail
version=v1.24.2
out=$(realpath -m "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export GOFLAGS=-mod=mod
cat > go.mod <<MOD
module ferretdb-build

go 1.22

require github.com/FerretDB/FerretDB $version
MOD
folder=$(go mod download -json "github.com/FerretDB/FerretDB@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
cp -r "$folder" source
chmod -R u+w source
echo "$version" > source/build/version/version.txt
go mod edit -replace github.com/FerretDB/FerretDB=./source
# Without optimisation, debug tables and C, the build takes a third less time, and the server is fast enough for tests.
CGO_ENABLED=0 go build -gcflags='all=-N -l' -ldflags='-s -w' -o "$out.$$.part" github.com/FerretDB/FerretDB/cmd/ferretdb
mv "$out.$$.part" "$out"
