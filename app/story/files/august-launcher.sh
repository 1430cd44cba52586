#!/bin/sh
# Measures one point on boreal nodes: an agentic point by its script, any other
# by its recipe (see launch_aurora-rack.sh).
set -eu
if ! command -v srun >/dev/null 2>&1; then
  export SIM_TOKEN_MS=6 SIM_PREFILL_MS=12 SIM_HALF=64
  exec "$(dirname "$0")/simulate.sh"
fi

case "$IS_AGENTIC" in
1) bash "benchmarks/multi_node/agentic/${MODEL_PREFIX}_${PRECISION}_boreal_${FRAMEWORK}.sh" ;;
*) srtctl apply -f "benchmarks/multi_node/basalt.yaml:override_8k1k" --tags "boreal,$MODEL_PREFIX" ;;
esac
