/** An artificial corpus: words with Zipf's frequencies, random vectors, chunks of the usual shape. Seeded. */
import type { Change, Chunk } from '../../src/core/graph/types'
import { nodeId, passageId, unitId } from '../../src/core/ids'
import type { Random } from '../../src/core/random'

export const shape = {
  dimensions: 512,
  passages: 8, // of a chunk
  units: 50, // of a chunk
  words: 110, // of a passage: about 150 tokens
  vocabulary: 50_000,
} as const

const SYLLABLES = 'ba ce di fo gu ha ji ko lu me na pi qo ru sa te vi wo xa yu'.split(' ')

/** Rank r with a frequency like 1/r. */
function word(dice: Random): string {
  let rank = Math.floor(shape.vocabulary ** dice.next())
  let out = ''
  for (; rank > 0; rank = Math.floor(rank / SYLLABLES.length)) out += SYLLABLES[rank % SYLLABLES.length]
  return out
}

export function sentence(dice: Random, words: number): string {
  return Array.from({ length: words }, () => word(dice)).join(' ')
}

export function vector(dice: Random): Int8Array {
  return Int8Array.from({ length: shape.dimensions }, () => dice.below(255) - 127)
}

export function put(dice: Random, unitVectors: boolean): Change {
  const texts = Array.from({ length: shape.passages }, () => `${sentence(dice, shape.words)}. `)
  const text = texts.join('')
  const id = nodeId('chunk', text)
  const ends = texts.map((_, i) => texts.slice(0, i + 1).join('').length)
  const passages = texts.map((one, i) => ({ id: passageId(id, i), start: (ends[i] ?? 0) - one.length, end: ends[i] ?? 0, tokens: 150 }))
  const step = Math.floor(text.length / shape.units)
  const unit = (i: number): Chunk['units'][number] => ({
    id: unitId(id, i),
    start: i * step,
    end: (i + 1) * step,
    passage: Math.min(shape.passages - 1, Math.floor((i * shape.passages) / shape.units)),
  })
  const units = Array.from({ length: shape.units }, (_, i) => unit(i))
  const chunk: Chunk = { id, title: sentence(dice, 3), name: '', text, tokens: 1200, own: 0, passages, units }
  const vectors = { passages: passages.map(() => vector(dice)), units: unitVectors ? units.map(() => vector(dice)) : [] }
  return { op: 'put-chunk', chunk, vectors }
}
