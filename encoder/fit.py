"""Fits one vector to each word piece so that their sum is near the teacher's vector of the whole text: `python fit.py TEXTS TAUGHT OUT [SETS]`.
SETS, a folder of evaluation sets, is only ever measured on."""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import evaluate
import tokens

SEED = 17
DIMENSIONS = 256
VALIDATION = 6_000
BLOCK = 32  # texts of one neighbourhood that go into a batch together


class Bag(torch.nn.Module):
    """Sum of the pieces' vectors, each times e to the power of what its place, capital, repetition and kind say."""

    def __init__(self, start, plain):
        super().__init__()
        self.bag = torch.nn.EmbeddingBag.from_pretrained(start, freeze=False, mode="sum")
        sizes = (tokens.POSITIONS, tokens.CAPITALS, tokens.REPEATS, tokens.KINDS)
        self.logs = torch.nn.ParameterList([torch.nn.Parameter(torch.zeros(n), requires_grad=not plain) for n in sizes])

    def forward(self, rows, index):
        places, starts = rows.take(index)
        columns = (rows.position, rows.capital, rows.repeat, rows.kind)
        log = sum(w[torch.from_numpy(c[places].astype(np.int64))] for w, c in zip(self.logs, columns))
        return F.normalize(self.bag(torch.from_numpy(rows.ids[places].astype(np.int64)), torch.from_numpy(starts), per_sample_weights=torch.exp(log)), dim=1)


def neighbourhoods(vectors, rng, count):
    """k-means, five rounds: texts that are near each other teach more about each other than texts at random."""
    v = torch.from_numpy(vectors)
    centres = v[torch.from_numpy(rng.choice(len(v), count, replace=False))]
    for _ in range(5):
        near = torch.cat([(part @ centres.T).argmax(1) for part in v.split(20_000)])
        sums = torch.zeros_like(centres).index_add_(0, near, v)
        centres = F.normalize(sums + 1e-6 * centres, dim=1)
    return near.numpy()


def order(near, rng, batch, mixed):
    """Indices of one epoch: a share of each batch is blocks of one neighbourhood, the rest is at random."""
    by = np.lexsort((rng.random(len(near)), near))
    blocks = [by[i : i + BLOCK] for i in range(0, len(by) - BLOCK + 1, BLOCK)]
    rng.shuffle(blocks)
    cut = int(len(blocks) * mixed)
    loose = np.concatenate(blocks[cut:]) if cut < len(blocks) else np.zeros(0, np.int64)
    rng.shuffle(loose)
    blocked = np.concatenate(blocks[:cut]) if cut else np.zeros(0, np.int64)
    steps = len(near) // batch
    a, b = len(blocked) // steps, len(loose) // steps
    for s in range(steps):
        yield np.concatenate([blocked[s * a : s * a + a], loose[s * b : s * b + b]])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("texts"), ap.add_argument("taught"), ap.add_argument("out"), ap.add_argument("sets", nargs="?")
    ap.add_argument("--epochs", type=int, default=6), ap.add_argument("--batch", type=int, default=1024), ap.add_argument("--rate", type=float, default=2e-3)
    ap.add_argument("--temperature", type=float, default=0.05), ap.add_argument("--relation", type=float, default=1.0), ap.add_argument("--mixed", type=float, default=0.5)
    ap.add_argument("--full", action="store_true", help="the relation is to the teacher's own similarities, not those left in 256 dimensions")
    ap.add_argument("--shards", type=int, default=10_000), ap.add_argument("--start"), ap.add_argument("--plain", action="store_true", help="every piece has weight 1")
    o = ap.parse_args()
    torch.manual_seed(SEED), torch.set_num_threads(2)
    rng = np.random.default_rng(SEED)
    tokenizer = tokens.tokenizer()
    taught = Path(o.taught)
    shards = sorted(p for p in taught.glob("0*.npy"))[: o.shards]
    Y = np.concatenate([np.load(p) for p in shards]).astype(np.float32)
    texts = [json.loads(line)[1] for _, line in zip(range(len(Y)), open(o.texts))]
    rows = tokens.Rows(tokenizer, texts)
    V = tokenizer.get_vocab_size()
    mu = torch.from_numpy(Y.mean(0))
    sample = torch.from_numpy(Y[rng.choice(len(Y), min(len(Y), 60_000), replace=False)]) - mu
    R = torch.linalg.eigh(sample.T @ sample)[1].flip(1)[:, :DIMENSIONS]
    T = torch.from_numpy(Y)
    target = F.normalize((T - mu) @ R, dim=1)
    full = F.normalize(T - mu, dim=1) if o.full else target
    counts = np.bincount(rows.ids, minlength=V) + 0.5
    share = counts / counts.sum()
    sif = torch.from_numpy((1e-3 / (1e-3 + share)).astype(np.float32))
    W = F.normalize(torch.from_numpy(np.load(taught / "pieces.npy")), dim=1)
    start = (W - W.mean(0)) @ R * sif[:, None]
    if o.start:
        start = torch.from_numpy(np.load(o.start))
    model = Bag(start, o.plain)
    adam = torch.optim.Adam([{"params": model.bag.parameters()}, {"params": model.logs.parameters(), "times": 5}], lr=o.rate)
    held, train = np.arange(VALIDATION), np.arange(VALIDATION, len(rows))
    near = neighbourhoods(Y[train], rng, max(64, len(train) // 400))
    sets = evaluate.load(o.sets) if o.sets else {}
    cached = {}

    def embed(some):
        key = hash(tuple(some))
        if key not in cached:
            cached[key] = tokens.Rows(tokenizer, some)
        with torch.no_grad():
            return model(cached[key], np.arange(len(some))).numpy()

    def validation():
        with torch.no_grad():
            return float((model(rows, held) * target[held]).sum(1).mean())

    print(len(rows), "texts", len(rows.ids), "pieces", "start", round(validation(), 4), evaluate.table(sets, embed), flush=True)
    total, done = o.epochs * (len(train) // o.batch), 0
    for epoch in range(o.epochs):
        began, losses = time.time(), []
        for index in order(near, rng, o.batch, o.mixed):
            index = train[index]
            for g in adam.param_groups:
                g["lr"] = o.rate * g.get("times", 1) * (0.05 + 0.95 * (1 - done / total))
            e = model(rows, index)
            y, z = target[index], full[index]
            loss = (1 - (e * y).sum(1)).mean()
            if o.relation:
                own = torch.eye(len(index), dtype=torch.bool)
                mine = (e @ e.T / o.temperature).masked_fill(own, -1e9)
                theirs = (z @ z.T / o.temperature).masked_fill(own, -1e9)
                loss = loss + o.relation * F.kl_div(torch.log_softmax(mine, 1), torch.softmax(theirs, 1), reduction="batchmean")
            adam.zero_grad()
            loss.backward()
            adam.step()
            losses.append(loss.item())
            done += 1
        print(epoch, round(float(np.mean(losses)), 4), "cosine held out", round(validation(), 4), evaluate.table(sets, embed), round(time.time() - began), "s", flush=True)
    logs = [w.detach().numpy() for w in model.logs]
    print([np.round(w - w[0], 2).tolist() for w in logs])
    np.savez(o.out, rows=model.bag.weight.detach().numpy(), share=share, positions=logs[0], capitals=logs[1], repeats=logs[2], kinds=logs[3])


if __name__ == "__main__":
    main()
