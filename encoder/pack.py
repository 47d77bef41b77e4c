"""Packs what `fit.py` learned into the file the product reads: `python pack.py FITTED OUT`. The layout is in src/core/encoder/artefact.ts."""

import hashlib
import json
import struct
import sys

import numpy as np

import tokens

MAGIC = b"LOAMENC\n"
NAME = "loam/static"
RARE = 1e-3  # a piece of this share of all pieces is half as rare as can be (Arora et al. 2017, "SIF")
# Multiples of the median length of a row: a word in several pieces, a whole word with a capital; a whole word without has `lower` of it; a word in other letters.
SPLIT, WHOLE, LOWER, FOREIGN = 1.5, 1.0, 0.5, 1.0


def main(fitted, out):
    f = np.load(fitted)
    rows = f["rows"].astype(np.float64)
    lists = {}
    for name, cut in (("positions", 14), ("capitals", 2), ("repeats", 3), ("kinds", 3)):
        lists[name] = [round(float(w), 4) for w in np.exp(f[name][:cut] - f[name][0])]
    rows *= float(np.exp(sum(f[name][0] for name in ("positions", "capitals", "repeats", "kinds"))))
    scales = np.maximum(np.abs(rows).max(1), 1e-9) / 127
    codes = np.rint(rows / scales[:, None]).astype(np.int8)
    median = float(np.median(np.linalg.norm(rows, axis=1)))
    identity = {"split": SPLIT * median, "whole": WHOLE * median, "lower": LOWER, "foreign": FOREIGN * median}
    rarity = np.rint(255 * RARE / (RARE + f["share"])).astype(np.uint8)
    t = tokens.tokenizer()
    words = "\n".join(t.id_to_token(i) for i in range(t.get_vocab_size())).encode("utf-16-le")
    payload = scales.astype("<f4").tobytes() + words + rarity.tobytes() + codes.tobytes()
    header = {
        "version": 1, "name": NAME, "dimensions": rows.shape[1], "rows": rows.shape[0], "vocabulary": len(words) // 2,
        "sha256": hashlib.sha256(payload).hexdigest(),
        "licence": "Apache-2.0; vocabulary of BERT and vectors distilled from all-MiniLM-L6-v2, both Apache-2.0",
        "weights": {**lists, "identity": {k: round(v, 4) for k, v in identity.items()}},
    }
    text = json.dumps(header).encode()
    text += b" " * (-(len(MAGIC) + 4 + len(text)) % 4)
    data = MAGIC + struct.pack("<I", len(text)) + text + payload
    open(out, "wb").write(data)
    print(len(data), "bytes", header["sha256"], header["weights"])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
