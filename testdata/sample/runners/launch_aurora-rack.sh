#!/bin/sh
# Measures one point on an aurora node: starts the script of the point in its
# container. Where there is no cluster, simulate.sh computes what such a node
# might give.
set -eu
if ! command -v srun >/dev/null 2>&1; then
  export SIM_TOKEN_MS=9 SIM_PREFILL_MS=22 SIM_HALF=44
  exec "$(dirname "$0")/simulate.sh"
fi

script="benchmarks/single_node/${SCENARIO_SUBDIR}${MODEL_PREFIX}_${PRECISION}_aurora_${FRAMEWORK}.sh"
srun --gres="gpu:$GPU_COUNT" --exclusive --job-name="$RUNNER_NAME" \
  --container-image="$IMAGE" --container-mounts="$GITHUB_WORKSPACE:/workspace" --container-workdir=/workspace \
  --export=ALL,PORT=8888 bash "$script"
