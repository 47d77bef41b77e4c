import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FIRST, isCurrent, rememberedTerms, SENTENCE, sentenceTerms } from '../../../src/core/text/sentence-terms'
import { sentences } from '../../../src/core/text/sentences'
import { distinct, fold, spelled, terms, words } from '../../../src/core/text/terms'
import { seed, unicodeText } from './arbitrary'

describe('terms', () => {
  it('[X8] are folded, stemmed and without stop words, in order and with repeats', () => {
    expect(terms("The Café's naïve O’Brien isn't running; runs 1,000 miles in İstanbul, ﬁne Straße")).toEqual([
      'cafe',
      'naiv',
      'o',
      'brien',
      'run',
      'run',
      '1',
      '000',
      'mile',
      'istanbul',
      'fine',
      'strass',
    ])
  })

  it('[X8] of plain text, read letter by letter, are those of the words that the pattern finds, one by one', () => {
    const pattern = /[a-z0-9]+(?:'(?:s|t|d|m|ll|ve|re)(?![a-z0-9]))?/g
    const plain = fc
      .array(
        fc.oneof(
          fc.constantFrom(...'aAbelLmrRstTvV09'),
          fc.constantFrom("'", "''", "'s", "n't", "'ll", "'VE", ' ', '-', '_', 'the ', '\n'),
          fc.constantFrom('–', '—', '“', '”', '…', '«', '»', '•', '\u00a0'),
        ),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(plain, (text) => {
        const words = text.toLowerCase().match(pattern) ?? []
        expect(terms(text)).toEqual(words.flatMap((word) => terms(`${word} ·`))) // what is beyond ASCII is read by patterns
      }),
      { ...seed, numRuns: 2000 },
    )
  })

  it('[X8] of scripts without spaces are overlapping pairs; a character alone is a term', () => {
    expect(terms('北京大学 東京tower 中')).toEqual(['北京', '京大', '大学', '東京', 'tower', '中'])
  })

  it('[X1102] of each sentence, as numbers, are those of that sentence, each once, in order, whatever letters stand beside it', () => {
    const hashes = new Map<string, number>()
    const named = new Map<number, string>()
    const pieces = fc.constantFrom(
      "It's Ann's dog. ",
      'Running runs! ',
      "They'd go",
      "'s ",
      'the ',
      'Straße. ',
      'façade ',
      '“So–so…” ',
      '東京。',
      '42 ',
      'x'.repeat(70),
      'fifteen15letter ',
      'sixteen16letters ',
      "fourteenletter's ",
      "abcdefghijklmno's ",
      '\n\n',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, unicodeText), { maxLength: 6 }), (parts) => {
        const text = parts.join('')
        const numbers = sentenceTerms(text)
        let at = FIRST
        for (const { start, end } of sentences(text)) {
          const own = distinct(terms(text.slice(start, end)))
          const { tokens, count } = SENTENCE
          expect([numbers[at], numbers[at + 1], numbers[at + tokens], numbers[at + count]]).toEqual([start, end, 0, own.length])
          for (const [i, term] of own.entries()) {
            const hash = numbers[at + SENTENCE.terms + i] ?? 0
            expect(hash).not.toBe(0)
            expect([hashes.get(term) ?? hash, named.get(hash) ?? term]).toEqual([hash, term])
            hashes.set(term, hash)
            named.set(hash, term)
          }
          at += SENTENCE.terms + own.length
        }
        expect([at, isCurrent(numbers)]).toEqual([numbers.length, true])
        expect([...rememberedTerms(text)]).toEqual([...numbers]) // some of its sentences have stood in other texts
      }),
      seed,
    )
  })

  it('[X1102] have the same numbers however many words were met between, and a repeated sentence has the same hash', () => {
    const plain = Array.from({ length: 140_000 }, (_, i) => (i % 1000 === 0 ? 'Running houses' : `w${i}x`)).join(' ')
    expect(terms(plain)).toEqual(terms(`${plain} 東`).slice(0, -1)) // a character of another script: word by word, by the pattern
    const before = sentenceTerms('Running houses.')
    sentenceTerms(plain)
    const after = sentenceTerms('Running houses. Houses run. Running houses.')
    const own = [...before.subarray(FIRST + SENTENCE.terms)]
    const of = (sentence: number): number[] => [
      ...after.subarray(FIRST + sentence * (SENTENCE.terms + 2), FIRST + (sentence + 1) * (SENTENCE.terms + 2)),
    ]
    expect(own.length).toBe(2)
    expect(of(0).slice(SENTENCE.terms)).toEqual(own)
    expect(of(1).slice(SENTENCE.terms)).toEqual([...own].reverse())
    expect(of(2).slice(SENTENCE.hash, SENTENCE.count)).toEqual(of(0).slice(SENTENCE.hash, SENTENCE.count))
    expect(of(1).slice(SENTENCE.hash, SENTENCE.count)).not.toEqual(of(0).slice(SENTENCE.hash, SENTENCE.count))
  })

  it('[X10] survive SQLite: joined by spaces and indexed by unicode61 they come back as they were', () => {
    const db = new DatabaseSync(':memory:')
    db.exec(`CREATE VIRTUAL TABLE t USING fts5(body, tokenize='unicode61'); CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')`)
    fc.assert(
      fc.property(unicodeText, (text) => {
        const list = terms(text)
        db.exec('DELETE FROM t')
        db.prepare('INSERT INTO t (rowid, body) VALUES (1, ?)').run(list.join(' '))
        const back = db.prepare('SELECT term FROM v ORDER BY offset').all()
        expect(back.map(({ term }) => term)).toEqual(list)
      }),
      seed,
    )
  })

  it('[X10] of every letter, mark and digit of Unicode survive SQLite', () => {
    const db = new DatabaseSync(':memory:')
    db.exec(`CREATE VIRTUAL TABLE t USING fts5(body, tokenize='unicode61'); CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')`)
    const insert = db.prepare('INSERT INTO t (rowid, body) VALUES (?, ?)')
    const row = 256 // code points of each text
    const sent: string[] = []
    db.exec('BEGIN')
    for (let from = 0; from < 0x32000; from += row) {
      const text = Array.from({ length: row }, (_, i) => String.fromCodePoint(from + i)).join(' ')
      const list = terms(text)
      if (list.length > 0) insert.run(from, list.join(' '))
      sent.push(...list)
    }
    db.exec('COMMIT')
    const back = db
      .prepare('SELECT term FROM v ORDER BY doc, offset')
      .all()
      .map(({ term }) => String(term))
    const first = sent.findIndex((term, i) => term !== back[i])
    expect({ lost: sent[first], as: back[first], count: back.length }).toEqual({ lost: undefined, as: undefined, count: sent.length })
    expect(sent.length).toBeGreaterThan(100_000)
  })

  it('[X8] fold letters that count as the same into one, and folding twice is folding once', () => {
    expect(['Ångström', 'ÅNGSTRÖM', 'A\u030angstro\u0308m'].map(fold)).toEqual(['angstrom', 'angstrom', 'angstrom'])
    expect([fold('كِتَابٌ'), fold('שָׁלוֹם'), fold('Росси́я'), fold('ΟΔΟΣ')]).toEqual(['كتاب', 'שלום', 'россия', 'οδοσ'])
    fc.assert(
      fc.property(unicodeText, (text) => fold(fold(text)) === fold(text)),
      seed,
    )
  })

  it('[X8] keep vowel signs, and can be spelled as people write them', () => {
    expect(terms('हिन्दी').map(spelled)).toEqual(['हिन्दी'])
    expect(terms('हिन्दी')).not.toEqual(terms('हन्द'))
  })

  it('[X8] words stand where their offsets say', () => {
    fc.assert(
      fc.property(unicodeText, (text) => {
        for (const word of words(text)) expect(text.slice(word.start, word.end)).toBe(word.text)
      }),
      seed,
    )
    expect(words('Ab, c1!').map((word) => word.text)).toEqual(['Ab', 'c1'])
    expect(distinct(['b', 'a', 'b'])).toEqual(['b', 'a'])
  })
})
