#!/bin/sh
# Measures one point on boreal nodes: submits the recipe that the point names,
# else that of its model (see launch_aurora-rack.sh).
set -eu
if ! command -v srun >/dev/null 2>&1; then
  export SIM_TOKEN_MS=6 SIM_PREFILL_MS=12 SIM_HALF=64
  exec "$(dirname "$0")/simulate.sh"
fi

case "$IS_AGENTIC" in
1) variant=override_agentic ;;
*) variant=override_8k1k ;;
esac
srtctl apply -f "${CONFIG_FILE:-benchmarks/multi_node/basalt.yaml:$variant}" --tags "boreal,$MODEL_PREFIX"
