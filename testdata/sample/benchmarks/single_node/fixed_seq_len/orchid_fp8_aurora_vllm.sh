#!/usr/bin/env bash
# Serves Orchid on one aurora node and loads it with sequences of one length.
set -euo pipefail
source "$(dirname "$0")/../../lib.sh"
require MODEL TP CONC ISL OSL MAX_MODEL_LEN RESULT_FILENAME

PORT=${PORT:-8888}
export VLLM_USE_FLASHINFER=1

ARGS=(
  --tensor-parallel-size "$TP"
  --max-model-len "$MAX_MODEL_LEN"
  --max-num-seqs "$((CONC < 256 ? CONC : 256))"
  --kv-cache-dtype fp8
  --gpu-memory-utilization 0.92
)
if [[ "$SPEC_DECODING" == mtp ]]; then
  ARGS+=(--speculative-config '{"method": "mtp", "num_speculative_tokens": 2}')
fi

vllm serve "$MODEL" --host 0.0.0.0 --port "$PORT" "${ARGS[@]}" >server.log 2>&1 &
SERVER=$!
wait_ready "$PORT" "$SERVER"

python3 utils/bench_serving/benchmark_serving.py \
  --model "$MODEL" --base-url "http://0.0.0.0:$PORT" --dataset-name random \
  --random-input-len "$ISL" --random-output-len "$OSL" \
  --max-concurrency "$CONC" --num-prompts "$((CONC * 10))" \
  --use-chat-template --save-result --result-filename "$RESULT_FILENAME.json"
kill "$SERVER"
