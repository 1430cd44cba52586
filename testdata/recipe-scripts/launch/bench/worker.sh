#!/bin/bash
# Started by another script; its environment is what that one exported.
ROLE=none
while [ $# -gt 0 ]; do
  case $1 in
    --role) ROLE=$2; shift ;;
    -*) exit 64 ;;
    *) break ;;
  esac
  shift
done
readonly ROLE
(
  export ROLE_ENV=$ROLE
  python3 -m sglang.launch_server --model-path "$1" --disaggregation-mode "$ROLE" --tag "$WORKER_TAG" --b "${B-unset}"
)
