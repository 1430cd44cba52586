#!/bin/bash
aiperf profile --endpoint-type chat
