#!/usr/bin/env bash
set -euo pipefail
HERE="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
source "$HERE/lib.sh"
require MODEL TP CONC BACKEND

declare -A STEPS=(
  [1024:4:1]=3
  [1024:8:2]=2
  ["8192:8:1"]=1
)
K="${STEPS[$ISL:$TP:$EP]:-3}"
printf -v LENGTH '%.2f' "$(awk "BEGIN { print 1 + $K * 0.62 }")"
SPEC="{\"method\":\"mtp\",\"num_speculative_tokens\":$K"
if [[ "${EVAL_ONLY:-false}" != true ]]; then
  SPEC+=",\"rejection_sample_method\":\"synthetic\",\"synthetic_acceptance_length\":$LENGTH"
fi
SPEC+="}"

OFFLOAD=()
case "$BACKEND" in
  none) ;;
  lmcache | native)
    size=$((DRAM_GB / TP))
    OFFLOAD=(--kv-transfer-config "{\"kv_connector\":\"${BACKEND^}\",\"gb\":$size}")
    export KV_BACKEND="$BACKEND"
    ;;
  *) echo "unknown backend" >&2; exit 2 ;;
esac

SIZES=()
for ((n = 1; n <= CONC; n *= 2)); do SIZES+=("$n"); done
LIST=$(printf '%s\n' "${SIZES[@]}" | sort -n -u | paste -sd, -)
PY="$(command -v python3)"
PTXAS=$(find /usr/local/cuda* -name ptxas -print -quit 2>/dev/null || true)
if [ -n "$PTXAS" ]; then
  export TRITON_PTXAS_PATH="$PTXAS"
fi

CMD=(
  vllm serve "$MODEL" --tensor-parallel-size "$TP"
  --speculative-config "$SPEC"
  # a comment between the words
  --compilation-config "{\"sizes\":[$LIST]}"
  --chat-template "$HERE/../templates/chat.jinja"
  "${OFFLOAD[@]}"
)
printf '%q ' "${CMD[@]}" > "$LIB_CACHE/command.txt"
"${CMD[@]}" >> server.log 2>&1 &
wait_until_up --url http://127.0.0.1/health --pid $!
"$PY" -m tools.replay --host "$(hostname)" --threads "$(nproc)"
