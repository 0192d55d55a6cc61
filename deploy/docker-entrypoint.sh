#!/bin/sh
# What the image runs: web (default), worker, health, or guildhall <command>.
# Called by the name guildhall it is the admin command line itself.
set -eu
app=$(dirname "$(dirname "$(readlink -f "$0")")")

if [ "${0##*/}" = guildhall ]; then
  set -- guildhall "$@"
fi

# The same as deploy/local/memory-limits.js.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
flags='--max-semi-space-size=8 --expose-gc'

command=${1:-web}
[ "$#" -eq 0 ] || shift
case $command in
  web) exec node $flags "$app/dist/main.js" ;;
  worker) exec node $flags "$app/dist/worker.js" ;;
  guildhall) exec node $flags "$app/dist/cli.js" "$@" ;;
  health)
    exec node -e 'fetch(`http://127.0.0.1:${process.env.PORT || 3000}/-/health`).then(
      (response) => process.exit(response.ok ? 0 : 1),
      () => process.exit(1),
    )'
    ;;
  *)
    echo "unknown command: $command (web, worker, health, guildhall <command>)" >&2
    exit 64
    ;;
esac
