#!/usr/bin/env bash
# Serves Orchid on one aurora node and replays coding sessions.
set -euo pipefail
source "$(dirname "$0")/../../lib.sh"
require MODEL TP CONC KV_OFFLOADING RESULT_DIR

PORT=${PORT:-8888}
OFFLOAD=()
case "$KV_OFFLOADING" in
none) ;;
dram)
  require TOTAL_CPU_DRAM_GB
  bytes=$((TOTAL_CPU_DRAM_GB * 1000000000 / TP))
  OFFLOAD=(--kv-transfer-config "$(cat <<JSON
{"kv_connector": "LarderConnector", "kv_role": "kv_both", "kv_connector_extra_config": {"cpu_bytes_per_rank": $bytes}}
JSON
)")
  ;;
*)
  echo "no such offloading: $KV_OFFLOADING" >&2
  exit 1
  ;;
esac

vllm serve "$MODEL" --host 0.0.0.0 --port "$PORT" \
  --tensor-parallel-size "$TP" --max-num-seqs "$((CONC * 2))" \
  --kv-cache-dtype fp8 --enable-prefix-caching "${OFFLOAD[@]}" >server.log 2>&1 &
SERVER=$!
wait_ready "$PORT" "$SERVER"
aiperf profile --url "http://0.0.0.0:$PORT" --endpoint-type chat --concurrency "$CONC" --artifact-dir "$RESULT_DIR"
kill "$SERVER"
