#!/bin/sh
# Makes the secrets that compose.yaml hands to the containers; existing ones are kept.
# The folder is closed to others; the files are open, because a container's user is another.
set -eu
folder=$(dirname "$0")/../secrets
umask 022
mkdir -p "$folder"
chmod 700 "$folder"

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
keep() { [ -s "$folder/$1" ] || printf '%s' "$2" >"$folder/$1"; }

keep secret_key "$(random)"
keep postgres_password "$(random)"
keep database_url "postgresql://guildhall:$(cat "$folder/postgres_password")@postgres:5432/guildhall"
