#!/bin/sh
# An environment for bench/peers outside of the repository: sh bench/peers/setup.sh <folder>; then PEERS_PYTHON=<folder>/bin/python
set -e
python3 -m venv "$1"
"$1/bin/pip" install -r "$(dirname "$0")/requirements.txt"
