#!/bin/bash
run_load --isl "$ISL" --osl "$OSL" --concurrency "$CONC"
