"""Late interaction for benches: `{"question", "texts": [[parts]]}` a line in, one score a text out. A score is the mean over the question's pieces of the nearest piece in any part (MaxSim).

all-MiniLM-L6-v2 reads question and parts apart and was not taught to be used so: a stand-in for a cross-encoder, not one. `python late.py FOLDER`: where pieces are kept (pieces.py).
"""

import json
import sys

import numpy as np
from pieces import Pieces

pieces = Pieces(sys.argv[1])


def scores(question, texts):
    parts = list({part for text in texts for part in text})
    pieces.read([question, *parts])
    asked = pieces.of(question)
    nearest = {part: (asked @ pieces.of(part).T).max(1) for part in parts}
    return [float(np.maximum.reduce([nearest[part] for part in text]).mean()) for text in texts]


for line in sys.stdin:
    told = json.loads(line)
    print(json.dumps(scores(told["question"], told["texts"])), flush=True)
