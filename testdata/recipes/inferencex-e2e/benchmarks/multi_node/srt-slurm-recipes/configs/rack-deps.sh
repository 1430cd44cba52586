#!/bin/bash
sed -i 's/verbose = true/verbose = false/' /etc/rack.conf
