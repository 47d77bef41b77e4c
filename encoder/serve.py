"""The teacher for benches: a JSON list of texts a line in, their float32 vectors in base64 a line out."""

import base64
import json
import sys

from teach import Teacher

teacher = Teacher()
for line in sys.stdin:
    print(base64.b64encode(teacher.texts(json.loads(line)).tobytes()).decode(), flush=True)
