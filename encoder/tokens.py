"""A text as the pieces that are summed, with what decides each one's weight: where it stands, whether its word has a capital, how often it
stood there before, and whether it is a whole word. `encoder.ts` does the same in the product."""

import numpy as np
from tokenizers import Tokenizer

from teach import FOLDER

LONGEST = 512  # pieces of a training text
POSITIONS, CAPITALS, REPEATS, KINDS = 16, 2, 4, 3


def position(i):
    """Bucket of the i-th piece: 0 to 7 one by one, then doubling in halves."""
    if i < 8:
        return i
    if i < 12:
        return 8
    if i < 16:
        return 9
    if i < 24:
        return 10
    if i < 32:
        return 11
    if i < 64:
        return 12
    if i < 128:
        return 13
    if i < 256:
        return 14
    return 15


BUCKET = np.array([position(i) for i in range(LONGEST)], dtype=np.uint8)


def tokenizer():
    t = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    t.no_padding(), t.no_truncation()
    return t


class Rows:
    """Pieces of many texts, flat: `ids`, and one code a piece for its weight; text i is `starts[i]:starts[i+1]`."""

    def __init__(self, tokenizer, texts):
        ids, codes, lengths = [], [], []
        for at in range(0, len(texts), 20_000):
            part = texts[at : at + 20_000]
            for text, e in zip(part, tokenizer.encode_batch(part, add_special_tokens=False)):
                row = e.ids[:LONGEST] or [100]
                words, offsets = e.word_ids, e.offsets
                seen, code = {}, []
                n = len(words)
                for i, piece in enumerate(row):
                    if n == 0:
                        code.append(0)
                        break
                    repeat = seen.get(piece, 0)
                    seen[piece] = repeat + 1
                    first = i == 0 or words[i] != words[i - 1]
                    whole = first and (i + 1 >= n or words[i + 1] != words[i])
                    if first:
                        capital = text[offsets[i][0]].isupper()
                    code.append((min(repeat, 3) * 3 + (0 if whole else 1 if first else 2)) * 2 + capital)
                ids.extend(row), codes.extend(code), lengths.append(len(row))
        self.ids = np.array(ids, dtype=np.int32)
        self.starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        code = np.array(codes, dtype=np.uint8)
        self.capital, self.kind, self.repeat = code & 1, (code >> 1) % 3, code // 6
        self.position = BUCKET[np.concatenate([np.arange(n) for n in lengths])]

    def __len__(self):
        return len(self.starts) - 1

    def take(self, index):
        """Flat places of the pieces of some texts, and where each text begins."""
        starts, lengths = self.starts[index], self.starts[index + 1] - self.starts[index]
        ends = np.cumsum(lengths)
        places = np.repeat(starts - (ends - lengths), lengths) + np.arange(ends[-1])
        return places, ends - lengths
