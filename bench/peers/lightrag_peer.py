"""LightRAG as it comes: its own storages in files, its own prompts, the extraction played back through its model function; the keywords of a question by rule. Every mode."""

import asyncio
import importlib.metadata
import json
import logging
import os
import re
import shutil

from lightrag import LightRAG, QueryParam
from lightrag.utils import EmbeddingFunc, Tokenizer, logger

from common import DELETED, FIRST, PLACE, PASSAGES, TASK, TEXTS, Step, called, described, encoder, keep, recall, squashed, triples

logger.setLevel(logging.ERROR)
FOLDER = os.path.join(os.environ["PEERS_RESULTS"], "lightrag")
BETWEEN, END = "<|#|>", "<|COMPLETE|>"
SMALL = set("a an and are as at be but by did do does for from had has have he her his how if in into is it its of on or she that the their there these they this to was were what when where which who whom whose why will with".split())


def extraction(place):
    names, kept = triples(place)
    title = PASSAGES[place]["title"]
    lines = [BETWEEN.join(["entity", name, "Other", described(name, kept, title)]) for name in names]
    lines += [BETWEEN.join(["relation", source, target, verb, f"{source} {verb} {target}."]) for source, verb, target in kept]
    return "\n".join(line.replace("\n", " ") for line in lines) + "\n" + END


def keywords(question):
    words = re.findall(r"[^\s,?!;:()\"“”]+", question)
    low, run = [], []
    for word in [*words, ""]:
        if re.match(r"[\"'(]*[A-ZÀ-Ý0-9]", word) and not (word.lower() in SMALL and not run):
            run.append(word)
        elif run:
            low.append(re.sub(r"['’]s$", "", " ".join(run)))
            run = []
    high = [word for word in words if word.lower() not in SMALL and not any(word in name for name in low)]
    return {"high_level_keywords": high, "low_level_keywords": low}


async def model(prompt, system_prompt=None, history_messages=None, **_):
    if "Based on the last extraction task" in prompt:
        called("glean")
        return END
    text = re.search(r"---Input Text---\n```\n(.*)\n```\n\n---Output---", prompt, re.S)
    if text and "Extract entities and relationships" in prompt:
        called("extract")
        place = PLACE.get(squashed(text[1]))
        return END if place is None else extraction(place)
    listed = re.search(r"Description List:\n\n```\n(.*)\n```", prompt, re.S)
    if listed:
        called("summary")
        lines = [next(iter(json.loads(line).values())) if line.startswith("{") else line for line in listed[1].splitlines()]
        return " ".join(dict.fromkeys(map(str, lines)))[:2400]
    called("other")
    return ""


class Pieces:
    """tiktoken downloads its table; bpe-openai brings the same."""

    def __init__(self):
        import bpe_openai

        self.own = bpe_openai.get_encoding("o200k_base")

    def encode(self, text):
        return list(self.own.encode_ordinary(text))

    def decode(self, tokens):
        return self.own.decode(list(tokens))

    def __deepcopy__(self, _):
        return self


async def embed(texts, **_):
    return encoder(list(texts))


async def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    rag = LightRAG(
        working_dir=FOLDER,
        llm_model_func=model,
        llm_model_name="played back",
        embedding_func=EmbeddingFunc(embedding_dim=384, max_token_size=8192, func=embed),
        tokenizer=Tokenizer("o200k_base", Pieces()),
    )
    await rag.initialize_storages()

    async def add(places):
        places = list(places)
        await rag.ainsert([TEXTS[i] for i in places], ids=[f"doc-{i}" for i in places], file_paths=[f"p{i}.txt" for i in places])

    with Step() as index:
        await add(range(FIRST))
    print("indexed", index.told(), flush=True)
    with Step() as insert:
        await add(range(FIRST, len(TEXTS)))
    print("inserted", insert.told(), flush=True)
    rows = {}
    for mode in ("naive", "local", "global", "hybrid", "mix"):
        ranked = []
        for one in TASK["questions"]:
            words = keywords(one["q"])
            param = QueryParam(mode=mode, ll_keywords=words["low_level_keywords"], hl_keywords=words["high_level_keywords"])
            chunks = ((await rag.aquery_data(one["q"], param)).get("data") or {}).get("chunks") or []
            ranked.append(list(dict.fromkeys(int(re.match(r"p(\d+)\.txt", chunk["file_path"])[1]) for chunk in chunks)))
        rows[mode] = recall(ranked)
    with Step() as delete:
        await rag.adelete_by_doc_id(f"doc-{DELETED}")
    version = f"lightrag-hku {importlib.metadata.version('lightrag-hku')}"
    keep("lightrag", {"version": version, "rows": rows, "index": index.told(), "insert": insert.told(), "delete": delete.told()})
    await rag.finalize_storages()


asyncio.run(main())
