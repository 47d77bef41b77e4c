/** Random texts that look for trouble: many scripts, marks, joined emoji, flags, lone surrogates, odd white space and punctuation. */
import fc from 'fast-check'

export const seed = { seed: 20260501, numRuns: 150 } as const

const PIECES = [
  'The cat sat. ',
  'Mr. Smith went to the U.S. ',
  'In 1997, J. R. Tolkien wrote 3.14 pages! ',
  'word ',
  'running houses ',
  'Ähnlich façade ',
  'Straße ',
  '"Really?" she said. ',
  '北京是中国的首都。',
  '東京タワーは「高い」。',
  '서울은 수도이다. ',
  'هذا كتاب. هل تقرأ؟ ',
  'यह एक किताब है। ',
  'ภาษาไทย',
  'Москва — столица. ',
  'Росси́я ',
  'שָׁלוֹם ',
  'க்ஷ',
  'ကို',
  'e\u0301',
  'a\u0301\u0316\u0300',
  '\u0301',
  '👩‍👩‍👧',
  '👍🏽',
  '🇩🇪🇫🇷',
  '☃️',
  '\u1100\u1161\u11a8',
  '\ud83d',
  '\ude00',
  '\ud800 ',
  'x\udfff. ',
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '\u00a0',
  '\u3000',
  '\u2029',
  '\ufeff',
  '\u200b',
  '. ',
  '!',
  '?! ',
  '…',
  '。',
  '॥',
  '. \u0301',
  ') ',
  '” ',
  '# Heading\n',
  '- item\n',
  '1. ',
  '| a | b |\n',
  '```\ncode\n```\n',
  'https://example.org/a.b?c=d ',
  'ﬁne Ⅷ ２０ ',
  '𠀀𠀁',
  '𝒜bc ',
  'ǅ İi ',
  "don't O’Brien's ",
  '1,000.5 ',
  'm² ',
  'ᦰᦱ ',
  'ͅ',
] as const

export const unicodeText = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((pieces) => pieces.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 400 }) },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units)) },
)

/** Every place in `text` that stands in none of the spans is white space. */
export function uncovered(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  let rest = ''
  let at = 0
  for (const { start, end } of spans) {
    rest += text.slice(at, start)
    at = end
  }
  return (rest + text.slice(at)).trim()
}
