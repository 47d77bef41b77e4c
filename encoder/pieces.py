"""Texts as benches need the teacher to read them: each once, its vector and its pieces' vectors from one pass, the pieces kept in a folder.

A process writes a file of its own (`<pid>.f16`: the pieces' vectors, `<pid>.jsonl`: which rows are whose) and reads those of all before it, so that a
run that was stopped goes on where it was."""

import hashlib
import json
import os
from pathlib import Path

import numpy as np
from teach import TOKENS, Teacher

WIDTH = 384


class Pieces(Teacher):
    """The last layer's vector of each piece, normalised, without the start and end marks."""

    def __init__(self, folder):
        super().__init__()
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.places = {}
        for index in self.folder.glob("*.jsonl"):
            rows = self.folder / f"{index.stem}.f16"
            held = np.memmap(rows, np.float16, "r").reshape(-1, WIDTH) if rows.exists() and rows.stat().st_size else np.zeros((0, WIDTH), np.float16)
            for line in index.open():
                key, first, count = json.loads(line)
                if first + count <= len(held):
                    self.places[key] = held[first : first + count]
        self.rows = open(self.folder / f"{os.getpid()}.f16", "ab")
        self.index = open(self.folder / f"{os.getpid()}.jsonl", "a")
        self.written = 0

    def read(self, texts):
        """The vectors of those texts that had to be read, by text; their pieces are kept."""
        missing = [text for text in dict.fromkeys(texts) if key_of(text) not in self.places]
        rows = sorted(((text, e.ids) for text, e in zip(missing, self.tokenizer.encode_batch(missing))), key=lambda row: len(row[1]))
        vectors, at = {}, 0
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
            means = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
            means /= np.linalg.norm(means, axis=1, keepdims=True)
            hidden = hidden / np.linalg.norm(hidden, axis=2, keepdims=True)
            for r, (text, row) in enumerate(batch):
                vectors[text] = means[r]
                self.keep(text, hidden[r, 1 : max(2, len(row) - 1)].astype(np.float16))
        self.rows.flush()
        self.index.flush()
        return vectors

    def keep(self, text, pieces):
        self.places[key_of(text)] = pieces
        self.rows.write(pieces.tobytes())
        self.index.write(json.dumps([key_of(text), self.written, len(pieces)]) + "\n")
        self.written += len(pieces)

    def of(self, text):
        return self.places[key_of(text)].astype(np.float32)

    def texts(self, texts):
        """A text of which only the pieces are known is read again: where vectors are kept, that is seldom."""
        read = self.read(texts)
        again = [text for text in dict.fromkeys(texts) if text not in read]
        if again:
            read.update(zip(again, super().texts(again)))
        return np.array([read[text] for text in texts], np.float32)


def key_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:32]
