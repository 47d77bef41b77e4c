"""The teacher for benches: a JSON list of texts a line in, their float32 vectors in base64 a line out. `python serve.py FOLDER`: where pieces are kept (pieces.py)."""

import base64
import json
import sys

from pieces import Pieces

teacher = Pieces(sys.argv[1])
for line in sys.stdin:
    print(base64.b64encode(teacher.texts(json.loads(line)).tobytes()).decode(), flush=True)
