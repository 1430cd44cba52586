#!/bin/sh
# Measures one point on an aurora node. A real launcher would start the engine
# here; this one computes what such a node might give (see simulate.sh).
set -eu
export SIM_TOKEN_MS=9 SIM_PREFILL_MS=22 SIM_HALF=44
exec "$(dirname "$0")/simulate.sh"
