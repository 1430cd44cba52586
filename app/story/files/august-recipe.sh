#!/usr/bin/env bash
# Serves Basalt on boreal nodes, prompts and answers on workers of their own.
# Measured points accept as many draft tokens as coding sessions do on average;
# evals verify the real draft.
set -euo pipefail
source "$(dirname "$0")/../../lib.sh"
require MODEL PREFILL_TP DECODE_TP CONC TOTAL_CPU_DRAM_GB

SPECULATION=(--speculative-algorithm EAGLE --speculative-num-steps "${DECODE_MTP_SIZE:-2}" --speculative-eagle-topk 1)
if [[ "${EVAL_ONLY:-false}" != true ]]; then
  export SGLANG_SIMULATE_ACC_LEN=2.50
  export SGLANG_SIMULATE_ACC_METHOD=match-expected
  export SGLANG_SIMULATE_ACC_TOKEN_MODE=real-draft-token
fi

# worker ROLE TP PORT starts the server of one role on its nodes.
worker() {
  srun --nodes=2 --container-image="$IMAGE" --export=ALL \
    python3 -m sglang.launch_server --model-path "$MODEL" --disaggregation-mode "$1" --tp-size "$2" --port "$3" \
    --enable-hierarchical-cache --hicache-size "$((TOTAL_CPU_DRAM_GB / $2))" "${SPECULATION[@]}" >"$1.log" 2>&1 &
}
worker prefill "$PREFILL_TP" 8001
PREFILL=$!
worker decode "$DECODE_TP" 8002
DECODE=$!
wait_ready 8001 "$PREFILL"
wait_ready 8002 "$DECODE"
python3 -m sglang_router.launch_router --pd-disaggregation --prefill http://127.0.0.1:8001 --decode http://127.0.0.1:8002 --port 8888 &
wait_ready 8888 "$!"
aiperf profile --url http://127.0.0.1:8888 --endpoint-type chat --concurrency "$CONC"
kill "$PREFILL" "$DECODE"
