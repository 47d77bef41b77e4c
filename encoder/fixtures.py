"""What the reference tokenizer makes of hostile and multilingual texts: `python fixtures.py OUT`. The test of src/core/encoder/wordpiece.ts reads it."""

import json
import random
import sys

import tokens

TEXTS = [
    "", " ", "\t\n\r", "Hello, World!", "unaffable", "The quick brown fox jumps over the lazy dog.", "don't can't won't it's O'Neill's", "U.S.A. e.g. 3.14 1,000,000 50% $5 #1 @you a_b",
    "naïve café Ångström Škoda Łódź Đorđe Øresund straße Œuvre Æsir İstanbul ıssız", "Zoe\u0301 cafe\u0301 n\u0303 A\u030a a\u0300\u0316\u0301", "ﬁ ﬂ ½ ² ① Ⅷ ™ ℃ № ㎏",
    "北京是中华人民共和国的首都。", "東京は日本の首都です。ひらがなカタカナ、テスト", "서울은 대한민국의 수도이다", "Москва — столица России. Ёлка й", "Αθήνα ΣΊΣΥΦΟΣ σίσυφος Ὀδυσσεύς",
    "القاهرة هي عاصمة مصر، مُحَمَّد", "ירושלים שָׁלוֹם", "नई दिल्ली भारत की राजधानी है।", "ঢাকা বাংলাদেশের রাজধানী", "சென்னை தமிழ்நாட்டின் தலைநகரம்", "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย", "თბილისი Երևան አዲስ አበባ", "ភ្នំពេញ ລາວ မြန်မာ བོད",
    "emoji 😀👍🏽👨‍👩‍👧 🫠 ☃ ❤️ flag 🇫🇷", "zero\u200bwidth\u200cjoin\u200der soft\u00adhyphen bom\ufeff end", "nul\x00 bell\x07 esc\x1b del\x7f nel\x85 fffd\ufffd", "a\u00a0b\u2003c\u3000d\u2028e\u2029f\u202fg",
    "x" * 100, "x" * 101, "é" * 100, "e\u0301" * 60, "supercalifragilisticexpialidocious antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
    "https://example.org/a/b?c=d&e=f#g user@example.com C:\\path\\file.txt", "##ing ## [unk", "……——「」『』《》〈〉【】“”‘’«»‹›", "+-*/=<>^~|`$ §¶†‡•° ¬±×÷ €£¥₹", "\U00020000\U0002a6d6\U0002b740\U0002b81e\U0002ceb0 \uf900\ufa0e \u3400\u4dbf",
    "Größe GRÖSSE ẞ ß ŉ ǰ ΐ", "x̷̢͔y̷z̸", "\ue000 private \U000f0000 use \u0378 unassigned", "ＦＵＬＬＷＩＤＴＨ ｆｕｌｌ １２３", "١٢٣ ४५६ ๑๒๓ 三百", "a\u0301\u0302\u0303" * 9, "I\u0307 i\u0307 K Å Ω", "२०२४ में ₹५०", "한글 자모 ㄱㄴㄷ 조합", "ǅ ǈ ǋ Ǆ",
    "Who directed the 2001 film starring Idina Menzel and Zoë Kravitz?", "Kubrick's \"2001: A Space Odyssey\" (1968)", "pre-trained co-operate e-mail 24/7 AC/DC", "\u0000\u0001\u0002", "ａ゛ が が ｶﾞ",
]


def made(rng):
    ranges = [(0x20, 0x7E), (0xA0, 0x24F), (0x370, 0x3FF), (0x400, 0x4FF), (0x590, 0x6FF), (0x900, 0x97F), (0xE00, 0xE7F), (0x1100, 0x11FF), (0x1E00, 0x1FFF), (0x2000, 0x206F), (0x3040, 0x30FF), (0x4E00, 0x4EFF), (0xAC00, 0xACFF), (0x1F600, 0x1F64F)]
    return "".join(chr(rng.randint(*rng.choice(ranges))) if rng.random() > 0.2 else " " for _ in range(rng.randint(1, 60)))


def main(out):
    t, rng = tokens.tokenizer(), random.Random(tokens.LONGEST)
    texts = TEXTS + [made(rng) for _ in range(60)]
    lines = [json.dumps([text, t.encode(text, add_special_tokens=False).ids]) for text in texts]
    open(out, "w").write("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main(sys.argv[1])
