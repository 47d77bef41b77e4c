"""nano-graphrag as it comes, the extraction played back through its model functions; a community's report is its entities' descriptions. Its local and naive modes; it deletes nothing."""

import asyncio
import importlib.metadata
import json
import os
import re
import shutil

import bpe_openai
import nano_graphrag._utils as utils

from common import FIRST, PLACE, PASSAGES, TASK, TEXTS, Step, called, described, encoder, keep, recall, squashed, triples


class Pieces:
    """tiktoken downloads its table; bpe-openai brings the same."""

    own = bpe_openai.get_encoding("o200k_base")

    def encode(self, text, **_):
        return list(self.own.encode_ordinary(text))

    def encode_batch(self, texts, **_):
        return [self.encode(text) for text in texts]

    def decode(self, tokens):
        return self.own.decode(list(tokens))

    def decode_batch(self, lists):
        return [self.decode(one) for one in lists]


utils.ENCODER = Pieces()
utils.tiktoken.encoding_for_model = lambda _: Pieces()

from nano_graphrag import GraphRAG, QueryParam  # noqa: E402
from nano_graphrag._utils import wrap_embedding_func_with_attrs  # noqa: E402

FOLDER = os.path.join(os.environ["PEERS_RESULTS"], "nano")
END = "<|COMPLETE|>"


def extraction(place):
    names, kept = triples(place)
    title = PASSAGES[place]["title"]
    records = [f'("entity"<|>"{name}"<|>"other"<|>"{described(name, kept, title)}")' for name in names]
    records += [f'("relationship"<|>"{source}"<|>"{target}"<|>"{source} {verb} {target}."<|>5)' for source, verb, target in kept]
    return "##".join(record.replace("\n", " ") for record in records) + END


async def model(prompt, system_prompt=None, history_messages=None, **_):
    if history_messages:
        called("glean")
        return END
    text = re.search(r"Real Data-\n#+\nEntity_types: .*\nText: (.*)\n#+\nOutput:", prompt, re.S)
    if text:
        called("extract")
        place = PLACE.get(squashed(text[1]))
        return END if place is None else extraction(place)
    if "community" in prompt.lower():
        called("report")
        return json.dumps({"title": "Community", "summary": prompt[-4000:][:400], "rating": 5, "rating_explanation": "", "findings": []})
    called("other")
    return prompt[-1000:]


@wrap_embedding_func_with_attrs(embedding_dim=384, max_token_size=8192)
async def embed(texts):
    return encoder(list(texts))


def sources(context):
    """Rows of a number and a text in quotes, which are not doubled inside it: no reader of CSV takes them apart."""
    block = re.search(r"-----Sources-----\n```csv\n(.*?)\n```", context or "", re.S)
    return re.findall(r'^\d+,\t"(.*?)"$(?=\n\d+,\t"|\Z)', block[1], re.S | re.M) if block else []


def places(texts):
    found = [PLACE.get(squashed(text)) for text in texts]
    return list(dict.fromkeys(place for place in found if place is not None))


async def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    rag = GraphRAG(
        working_dir=FOLDER,
        enable_naive_rag=True,
        best_model_func=model,
        cheap_model_func=model,
        embedding_func=embed,
        special_community_report_llm_kwargs={},
        enable_llm_cache=False,
    )
    with Step() as index:
        await rag.ainsert(TEXTS[:FIRST])
    print("indexed", index.told(), flush=True)
    with Step() as insert:
        await rag.ainsert(TEXTS[FIRST:])
    rows = {}
    for mode in ("naive", "local"):
        ranked = []
        for one in TASK["questions"]:
            context = await rag.aquery(one["q"], QueryParam(mode=mode, only_need_context=True))
            ranked.append(places(sources(context) if mode == "local" else (context or "").split("--New Chunk--\n")))
        rows[mode] = recall(ranked)
    version = f"nano-graphrag {importlib.metadata.version('nano-graphrag')}"
    keep("nano", {"version": version, "rows": rows, "index": index.told(), "insert": insert.told(), "delete": None})


asyncio.run(main())
