#!/bin/sh
# Measures one point on boreal nodes (see launch_aurora-rack.sh).
set -eu
export SIM_TOKEN_MS=6 SIM_PREFILL_MS=12 SIM_HALF=64
exec "$(dirname "$0")/simulate.sh"
