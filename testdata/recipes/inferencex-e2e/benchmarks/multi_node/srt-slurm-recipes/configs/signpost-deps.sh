#!/bin/bash
# Runs in every container before its server.
set -e
pip install "signpost==${ROUTER_VERSION}"
