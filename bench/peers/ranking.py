"""bm25s with Porter stems, MiniLM alone, and both by reciprocal ranks (k = 60) as most frameworks join them."""

import importlib.metadata

import bm25s
import numpy as np
import Stemmer

from common import DELETED, FIRST, TASK, TEXTS, Step, encoder, keep, recall

STEMMER = Stemmer.Stemmer("english")
QUESTIONS = [one["q"] for one in TASK["questions"]]
encoder(TEXTS + QUESTIONS)


def tokens(texts):
    return bm25s.tokenize(texts, stopwords="en", stemmer=STEMMER, show_progress=False)


def built(texts):
    model = bm25s.BM25(k1=1.2, b=0.75)
    model.index(tokens(texts), show_progress=False)
    return model


def top(scores, count=100):
    return [int(i) for i in np.argsort(-scores, kind="stable")[:count]]


with Step() as index:
    built(TEXTS[:FIRST])
with Step() as insert:  # it knows no insertion: all is indexed anew
    model = built(TEXTS)
with Step() as delete:
    built(TEXTS[:DELETED] + TEXTS[DELETED + 1 :])
lexical = [[int(i) for i in row] for row in model.retrieve(tokens(QUESTIONS), k=min(100, len(TEXTS)), show_progress=False).documents]
version = f"bm25s {importlib.metadata.version('bm25s')}"
steps = {"index": index.told(), "insert": insert.told(), "delete": delete.told()}
keep("bm25s", {"version": version, "rows": {"BM25": recall(lexical)}, **steps})

vectors = encoder(TEXTS)
dense = [top(vectors @ one) for one in encoder(QUESTIONS)]


def fused(*lists):
    scores = {}
    for ranked in lists:
        for rank, place in enumerate(ranked):
            scores[place] = scores.get(place, 0) + 1 / (60 + rank + 1)
    return sorted(scores, key=lambda place: -scores[place])


rows = {"MiniLM alone": recall(dense), "BM25 + MiniLM by reciprocal ranks": recall([fused(a, b) for a, b in zip(lexical, dense)])}
keep("reciprocal", {"version": f"{version}, numpy", "rows": rows, **steps})
