"""Recall of vectors on multi-hop sets: `{passages: [{id, title, text}], queries: [{q, gold}]}`."""

import json
from pathlib import Path

import numpy as np


def load(folder, names=("dev_hotpot", "hotpotqa_train100", "dev_2wiki", "musique_train100")):
    return {name: json.loads((Path(folder) / f"{name}.json").read_text()) for name in names}


def texts_of(data, titles):
    return [f"{p['title']}\n{p['text']}" if titles else p["text"] for p in data["passages"]]


def recall(passages, questions, data, k=5):
    ids = [p["id"] for p in data["passages"]]
    found = 0.0
    for scores, query in zip(questions @ passages.T, data["queries"]):
        top = np.argsort(-scores, kind="stable")[:k]
        found += len({ids[i] for i in top} & set(query["gold"])) / len(query["gold"])
    return 100 * found / len(data["queries"])


def table(sets, embed):
    """`embed(texts) -> unit rows`. One row a set: recall@5 with titles, without."""
    rows = {}
    for name, data in sets.items():
        questions = embed([q["q"] for q in data["queries"]])
        rows[name] = tuple(round(recall(embed(texts_of(data, titles)), questions, data), 1) for titles in (True, False))
    rows["mean"] = tuple(round(float(np.mean([row[i] for row in rows.values()])), 1) for i in (0, 1))
    return rows
