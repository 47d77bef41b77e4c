/**
 * How often passages say the terms of a question, and how long they are, many at once. Counted in their texts, of which only the words that begin like
 * a term are analysed; how many terms a passage has in all, the keyword index knows. Texts are not kept: a question's terms are counted in hundreds of
 * passages, of which it shows twenty.
 */
import { passageText } from '../../src/core/graph/parts'
import { countedTerms } from '../../src/core/graph/passage-terms'
import type { TermCounts } from '../../src/core/graph/reader'
import type { Chunk } from '../../src/core/graph/types'
import { chunkOf, ordinalOf } from '../../src/core/ids'
import { termCounter } from '../../src/core/text/term-cover'
import type { Sql } from '../sql'
import { PASSAGES } from './rows'

/** FTS5's own record: the terms of each column. */
const SIZES = `SELECT j.key AS at, d.sz AS sizes FROM json_each(?) j
  CROSS JOIN chunk c ON c.id = j.value ->> 0 CROSS JOIN words_docsize d ON d.id = c.n * ${PASSAGES} + (j.value ->> 1)`

/** `chunks` reads the chunks of these ids. */
export function termCounts(
  sql: Sql,
  passages: readonly string[],
  terms: readonly string[],
  chunks: (ids: readonly string[]) => ReadonlyMap<string, Chunk>,
): readonly (TermCounts | undefined)[] {
  if (passages.length === 0) return []
  const places = passages.map((id) => [chunkOf(id), ordinalOf(id)] as const)
  const rows = sql.all<{ at: number; sizes: ArrayBuffer }>(SIZES, JSON.stringify(places))
  const lengths = new Map(rows.map(({ at, sizes }) => [at, varints(new Uint8Array(sizes)).reduce((sum, one) => sum + one, 0)]))
  const count = termCounter(terms)
  const read = chunks(places.map(([chunk]) => chunk))
  return places.map(([id, ordinal], at) => {
    const chunk = read.get(id)
    const length = lengths.get(at)
    if (!chunk) return undefined
    if (length === undefined) return countedTerms(chunk, ordinal, terms) // readers see it for a while although the index has forgotten it
    const title = count(chunk.title, chunk.language)
    const own = count(passageText(chunk, ordinal), chunk.language)
    return { length, counts: own.map((times, i) => times + (title[i] ?? 0)) }
  })
}

/** Big-endian, seven bits per byte. */
export function varints(bytes: Uint8Array): number[] {
  const out: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    out.push(value)
    value = 0
  }
  return out
}
