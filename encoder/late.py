"""Late interaction for benches: `{"question", "texts": [[parts]]}` a line in, one score a text out. A score is the mean over the question's pieces of the nearest piece in any part (MaxSim).

all-MiniLM-L6-v2 reads question and parts apart and was not taught to be used so: a stand-in for a cross-encoder, not one.
"""

import json
import sys

import numpy as np
from teach import TOKENS, Teacher


class Pieces(Teacher):
    """The last layer's vector of each piece, normalised, without the start and end marks; a text is read once."""

    known = {}

    def read(self, texts):
        rows = [(text, e.ids) for text, e in zip(texts, self.tokenizer.encode_batch(texts)) if text not in self.known]
        rows.sort(key=lambda row: len(row[1]))
        at = 0
        while at < len(rows):
            width = len(rows[min(at + 63, len(rows) - 1)][1])
            batch = rows[at : at + max(8, TOKENS // width)]
            at += len(batch)
            width = len(batch[-1][1])
            ids, mask = np.zeros((len(batch), width), np.int64), np.zeros((len(batch), width), np.int64)
            for r, (_, row) in enumerate(batch):
                ids[r, : len(row)] = row
                mask[r, : len(row)] = 1
            hidden = self.run({"input_ids": ids, "attention_mask": mask})[0]
            hidden /= np.linalg.norm(hidden, axis=2, keepdims=True)
            for r, (text, row) in enumerate(batch):
                self.known[text] = hidden[r, 1 : max(2, len(row) - 1)].astype(np.float16)

    def scores(self, question, texts):
        parts = list({part for text in texts for part in text})
        self.read([question, *parts])
        asked = self.known[question].astype(np.float32)
        nearest = {part: (asked @ self.known[part].astype(np.float32).T).max(1) for part in parts}
        return [float(np.maximum.reduce([nearest[part] for part in text]).mean()) for text in texts]


pieces = Pieces()
for line in sys.stdin:
    told = json.loads(line)
    print(json.dumps(pieces.scores(told["question"], told["texts"])), flush=True)
