#!/usr/bin/env bash
# Tries the Dockerfile where no container engine runs: each stage is a bare folder, COPY copies
# what the file names and .dockerignore lets through, and the npm commands run there. Commands
# that would change the system (apt-get, chown …) are only checked for their syntax.
set -euo pipefail
cd "$(dirname "$0")/.."

stages=$(mktemp -d)
trap 'rm -rf "$stages"' EXIT
export npm_config_prefer_offline=true npm_config_update_notifier=false

stage=
workdir=/

inside() { case $1 in /*) echo "$stages/$stage$1" ;; *) echo "$stages/$stage$workdir/${1#./}" ;; esac; }

copy() {
  local origin=$PWD from=() target
  if [[ $1 == --from=* ]]; then
    origin=$stages/${1#--from=}
    shift
    # Part of the base image of the stage, as programs of the system are.
    [[ $1 != /usr/* ]] || return 0
  fi
  while (($# > 1)); do
    if [[ $origin == "$PWD" ]] && ! grep -qxF "!$1" .dockerignore; then
      echo ".dockerignore keeps $1 out of the build" >&2
      exit 1
    fi
    from+=("$origin/${1#/}")
    shift
  done
  target=$(inside "$1")
  if [[ -d ${from[0]} ]]; then
    # Copies the contents of a folder, like a container engine.
    mkdir -p "$target"
    cp -a --reflink=auto "${from[0]}/." "$target"
  elif [[ $1 == */ ]]; then
    mkdir -p "$target"
    cp -a "${from[@]}" "$target"
  else
    mkdir -p "$(dirname "$target")"
    cp -a "${from[0]}" "$target"
  fi
}

run() {
  case $1 in
    npm\ *)
      echo "$stage: $1"
      # The image has none of the caller's installed programs on its PATH, nor its settings.
      (cd "$(inside .)" && env -u NODE_ENV -u NODE_OPTIONS sh -ec "$1" 2>&1)
      ;;
    *) sh -n -c "$1" ;;
  esac
}

while IFS= read -r line; do
  read -r instruction rest <<<"$line"
  read -ra words <<<"$rest"
  case $instruction in
    FROM) stage=${words[2]:?every stage needs a name} workdir=/ && mkdir -p "$stages/$stage" ;;
    WORKDIR) workdir=$rest && mkdir -p "$(inside .)" ;;
    COPY) copy "${words[@]}" ;;
    RUN) run "$rest" ;;
    ENV | USER | VOLUME | EXPOSE | HEALTHCHECK | ENTRYPOINT | CMD) ;;
    *) echo "unknown instruction: $line" >&2 && exit 1 ;;
  esac
done < <(sed -e '/^#/d' -e '/^[[:space:]]*$/d' Dockerfile | sed -e ':a' -e '/\\$/{N;s/\\\n[[:space:]]*//;ba' -e '}')

# What the last stage holds must be enough to run: every import is found without the dev
# dependencies, and a web process without settings says what it lacks.
entrypoint=$(inside ./deploy/docker-entrypoint.sh)
sh "$entrypoint" guildhall --help >/dev/null
for process in web worker; do
  said=$(env -i PATH="$PATH" NODE_ENV=production sh "$entrypoint" "$process" 2>&1) && status=0 || status=$?
  if ((status == 0)) || [[ $said != *DATABASE_URL* ]]; then
    printf '%s in the image did not ask for its settings:\n%s\n' "$process" "$said" >&2
    exit 1
  fi
done
# Read at run time: no import names these files.
for file in dist/assets/{api-reference.js,app.css,app.js,licenses.txt} dist/hooks/{pre,post}-receive docs/openapi.json; do
  [[ -r $(inside "$file") ]] || { echo "the image lacks $file" >&2 && exit 1; }
done
du -sh "$stages/$stage" | sed "s|$stages/||"
