#!/usr/bin/env bash
set -e
source "$(dirname "$0")/lib.sh"
require MODEL TP CONC ISL OSL

nvidia-smi
if [[ "$MODEL" != /* ]]; then hf download "$MODEL"; fi
PORT=${PORT:-8000}
case "$CONC" in
  1 | 2 | 4) GRAPH=4; POLL=5 ;;
  8 | 16) GRAPH=$CONC; POLL=10 ;;
  *) GRAPH=$((CONC > 256 ? 256 : CONC)); POLL=30 ;;
esac
if [ "$TP" -eq 8 ]; then
  MEMORY=0.85
elif [ "$TP" -eq 4 ]; then
  MEMORY=0.9
else
  echo "no recipe for TP=$TP"
  exit 1
fi
EXTRA=""
if [ "${EVAL_ONLY:-false}" = "true" ]; then
  EXTRA="--context-length $((ISL + OSL + 512))"
fi
export ENGINE_FAST=1
set -x
ENGINE_QUIET=yes python3 -m sglang.launch_server --model-path=$MODEL --tp $TP \
  --cuda-graph-max-bs $GRAPH --poll $( [[ $CONC -gt 4 ]] && echo $POLL || echo 1 ) \
  --mem-fraction-static $MEMORY $EXTRA > server.log 2>&1 &
SERVER=$!
wait_until_up --url "http://127.0.0.1:$PORT/health" --pid "$SERVER"
pip install -q datasets
run_client --input "$ISL" --output "$OSL"
