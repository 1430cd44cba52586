#!/usr/bin/env bash
# Serves Basalt on one aurora node, experts and attention spread over its GPUs.
set -euo pipefail
source "$(dirname "$0")/../../lib.sh"
require MODEL TP EP_SIZE DP_ATTENTION CONC

PORT=${PORT:-8888}
PARALLEL="--tp-size $TP --ep-size $EP_SIZE"
if [ "$DP_ATTENTION" = true ]; then
  PARALLEL="$PARALLEL --dp-size $TP --enable-dp-attention"
fi
GRAPHS=$(seq -s ' ' 8 8 64)

SGLANG_MOE_ROUTING=balanced python3 -m sglang.launch_server --model-path "$MODEL" --port "$PORT" \
  $PARALLEL --cuda-graph-bs $GRAPHS --max-running-requests "$CONC" >server.log 2>&1 &
wait_ready "$PORT" "$!"
