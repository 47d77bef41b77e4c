"""
HippoRAG 2's method, written anew from its paper (arXiv 2502.14802), since the package wants vLLM, its own encoders and a text model that filters facts: phrases and passages in one graph (triples,
mentions, synonyms by cosine >= .8), personalised PageRank (damping .5) from the phrases of the five facts nearest to the question and from all passages by cosine times .05. No filter of facts.
"""

import numpy as np
import scipy.sparse as sparse

from common import DELETED, FIRST, TASK, TEXTS, Step, called, encoder, keep, recall, triples

SYNONYM, FACTS, PASSAGE, DAMPING = 0.8, 5, 0.05, 0.5


class Graph:
    def __init__(self, places):
        self.places = list(places)
        self.facts = []
        phrases, edges = {}, {}
        seen = np.zeros(0)
        node = lambda name: phrases.setdefault(name.lower(), len(phrases))  # noqa: E731
        pairs = []
        for at, place in enumerate(self.places):
            names, kept = triples(place)
            for name in names:
                pairs.append((at, node(name)))
            for source, verb, target in kept:
                a, b = node(source), node(target)
                self.facts.append((f"{source} {verb} {target}", a, b))
                if a != b:
                    edges[min(a, b), max(a, b)] = edges.get((min(a, b), max(a, b)), 0) + 1
        names = list(phrases)
        vectors = encoder(names)
        for begin in range(0, len(names), 512):
            near = vectors[begin : begin + 512] @ vectors.T
            for row, column in np.argwhere(near >= SYNONYM):
                a, b = begin + int(row), int(column)
                if a < b:
                    edges[a, b] = edges.get((a, b), 0) + float(near[row, column])
        size = len(names) + len(self.places)
        rows, columns, weights = [], [], []
        for (a, b), weight in [*edges.items(), *(((p, len(names) + at), 1.0) for at, p in set(pairs))]:
            rows += [a, b]
            columns += [b, a]
            weights += [weight, weight]
        matrix = sparse.csr_matrix((weights, (rows, columns)), shape=(size, size))
        degree = np.asarray(matrix.sum(axis=0)).ravel()
        self.walk = matrix @ sparse.diags(1 / np.maximum(degree, 1e-12))
        self.mentions = np.bincount([p for _, p in set(pairs)], minlength=len(names))
        self.phrases = len(names)
        self.fact_vectors = encoder([fact for fact, _, _ in self.facts])
        self.vectors = encoder([TEXTS[place] for place in self.places])

    def ask(self, question):
        vector = encoder([question])[0]
        near = self.fact_vectors @ vector
        seed = np.zeros(self.walk.shape[0])
        scores, counts = np.zeros(self.phrases), np.zeros(self.phrases)
        for at in np.argsort(-near)[:FACTS]:
            for phrase in self.facts[at][1:]:
                scores[phrase] += near[at] / max(1, self.mentions[phrase])
                counts[phrase] += 1
        seed[: self.phrases] = scores / np.maximum(counts, 1)
        dense = self.vectors @ vector
        dense = (dense - dense.min()) / max(1e-9, dense.max() - dense.min())
        seed[self.phrases :] = PASSAGE * dense
        seed /= seed.sum()
        rank = seed.copy()
        for _ in range(60):
            rank = (1 - DAMPING) * seed + DAMPING * (self.walk @ rank)
        return [self.places[at] for at in np.argsort(-rank[self.phrases :], kind="stable")[:100]]


for _ in TEXTS:
    called("extract")
with Step() as index:
    Graph(range(FIRST))
with Step() as insert:  # built anew: the method's graph is global in its synonyms
    graph = Graph(range(len(TEXTS)))
with Step() as delete:
    Graph([place for place in range(len(TEXTS)) if place != DELETED])
ranked = [graph.ask(one["q"]) for one in TASK["questions"]]
told = {"index": {**index.told(), "calls": 2 * FIRST}, "insert": {**insert.told(), "calls": 2 * (len(TEXTS) - FIRST)}, "delete": delete.told()}
keep("hippo", {"version": "HippoRAG 2's method, rewritten", "rows": {"as written anew, no filter of facts": recall(ranked)}, **told})
