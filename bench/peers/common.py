"""What every peer is given: the same passages, the same MiniLM vectors, the same extraction played back as a model's replies; and how it is measured."""

import base64
import json
import os
import re
import subprocess
import time

import numpy as np

TASK = json.load(open(os.environ["PEERS_TASK"]))  # passages, added, questions, extraction: written by main.ts
PASSAGES = TASK["passages"]  # {id, title, text}; the first TASK["first"] are indexed, the others added
TEXTS = [f"{one['title']}\n{one['text']}" for one in PASSAGES]
FIRST = TASK["first"]
DELETED = TASK["deleted"]  # place of the passage that is deleted in the end


AT_ONCE = 256  # texts the encoder is sent together


def squashed(text):
    return re.sub(r"[^0-9a-z]+", "", text.lower())


PLACE = {squashed(text): i for i, text in enumerate(TEXTS)}


class Encoder:
    """encoder/serve.py, which Loam's benches ask as well. A text is embedded once; what it takes is no peer's time."""

    def __init__(self):
        python = os.environ["TEACHER_PYTHON"]
        self.child = subprocess.Popen([python, "serve.py", os.environ["PIECES"]], cwd=os.environ["ENCODER"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.known = {}
        self.seconds = 0.0
        self.texts = 0

    def __call__(self, texts):
        self.texts += len(texts)
        began = time.perf_counter()
        missing = [text for text in dict.fromkeys(texts) if text not in self.known]
        for at in range(0, len(missing), AT_ONCE):
            few = missing[at : at + AT_ONCE]
            self.child.stdin.write(json.dumps(few) + "\n")
            self.child.stdin.flush()
            rows = np.frombuffer(base64.b64decode(self.child.stdout.readline()), dtype=np.float32).reshape(len(few), 384)
            self.known.update(zip(few, rows))
        self.seconds += time.perf_counter() - began
        return np.stack([self.known[text] for text in texts])


encoder = Encoder()
calls = {}  # of the model, by what for


def called(what):
    calls[what] = calls.get(what, 0) + 1


def triples(place):
    """Entities and triples that GPT-3.5 found in a passage."""
    found = TASK["extraction"][place]
    kept = [one for one in found["triples"] if len(one) == 3 and all(isinstance(part, str) and part.strip() for part in one)]
    names = [name for name in found["entities"] if name.strip()] + [end for one in kept for end in (one[0], one[2])]
    return list(dict.fromkeys(names)), kept


def described(name, kept, title):
    told = dict.fromkeys(" ".join(one) + "." for one in kept if name in (one[0], one[2]))
    return " ".join(told) or f"{name} is mentioned in the passage on {title}."


class Step:
    """Processor seconds of this process alone: the encoder is another one, and the machine may be busy."""

    def __enter__(self):
        self.wall, self.cpu, self.embedding = time.perf_counter(), time.process_time(), encoder.seconds
        self.before = dict(calls)
        return self

    def __exit__(self, *_):
        self.processor = time.process_time() - self.cpu
        self.seconds = time.perf_counter() - self.wall - (encoder.seconds - self.embedding)
        self.calls = sum(calls.values()) - sum(self.before.values())

    def told(self):
        return {"processor_s": round(self.processor, 3), "wall_s": round(self.seconds, 3), "calls": self.calls}


def recall(ranked):
    """ranked: for each question places of passages, best first."""
    def at(k):
        shares = [len(set(one["gold"]) & set(found[:k])) / len(one["gold"]) for one, found in zip(TASK["questions"], ranked)]
        return round(100 * sum(shares) / len(shares), 1)
    return {"recall5": at(5), "recall10": at(10)}


def keep(name, result):
    with open(os.path.join(os.environ["PEERS_RESULTS"], f"{name}.json"), "w") as file:
        json.dump(result, file, indent=1)
    print(name, json.dumps(result), flush=True)
