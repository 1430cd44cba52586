#!/usr/bin/env bash
# What every launch script shares.
export LIB_CACHE="${LIB_CACHE:-/tmp/bench-cache}"
mkdir -p "$LIB_CACHE" 2>/dev/null || true

require() {
  local missing=() name
  for name in "$@"; do
    [[ -n "${!name:-}" ]] || missing+=("$name")
  done
  if ((${#missing[@]} > 0)); then
    echo "missing: ${missing[*]}" >&2
    exit 1
  fi
}

# Waits until a server answers; gives up when its process is gone.
wait_until_up() {
  local url="" pid=""
  while [[ $# -gt 0 ]]; do
    case "$1" in
      --url) url="$2"; shift 2 ;;
      --pid) pid="$2"; shift 2 ;;
      *) echo "unknown option $1" >&2; return 2 ;;
    esac
  done
  until curl --silent --fail "$url" > /dev/null; do
    if ! kill -0 "$pid" 2>/dev/null; then
      echo "server died" >&2
      exit 1
    fi
    sleep 5
  done
}

run_client() {
  local cmd=(python3 tools/client.py --url "http://127.0.0.1:$PORT" --prompts "$((CONC * 10))")
  [[ "${CHAT:-false}" == true ]] && cmd+=(--chat)
  "${cmd[@]}" "$@"
}
