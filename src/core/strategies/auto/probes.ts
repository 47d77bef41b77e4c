/**
 * Questions made from the corpus itself, to measure channels without labels or a model. There are two families: a sentence taken OUT of its
 * passage, which must still be found by what is left (a whole sentence finding its own passage proves nothing), and a few words of a passage, some
 * replaced by words from elsewhere. Seeded: the same graph gives the same probes.
 */
import type { GraphReader } from '../../graph/reader'
import type { Chunk, Json } from '../../graph/types'
import { type Random, random } from '../../random'

export const probing = {
  count: 240, // probes; the standard error of their mean recall is then near 2.5 points
  min: 6, // words of a sentence that can be a probe; shorter ones say too little
  words: { min: 4, max: 9 }, // of a probe made of words: the length of a keyword query
  noise: 0.2, // chance that a word is replaced by one from elsewhere
  seed: 240,
} as const

export interface Probe {
  readonly chunk: string
  /** Ordinal of the passage to be found. */
  readonly passage: number
  readonly text: string
  /** Ordinal of the sentence taken out; −1 for a probe made of words. */
  readonly unit: number
  /** Where the question of a pair begins; that passage must be found as well (pair-probes.ts). */
  readonly first?: PassageAt
}

export interface PassageAt {
  readonly chunk: string
  /** Ordinal. */
  readonly passage: number
}

export function probesOf(graph: GraphReader): Probe[] {
  const rng = random(`probes ${probing.seed}`)
  const chunks = sampled(graph, rng, probing.count)
  const vocabulary = chunks.flatMap((chunk) => chunk.text.split(/\s+/).slice(0, 40))
  return chunks.flatMap((chunk, i) => (i % 2 === 0 ? sentenceProbe(chunk, rng) : wordsProbe(chunk, vocabulary, rng)) ?? [])
}

/** What is left of the passage after a sentence was taken out. */
export function restOf(chunk: Chunk, probe: Probe): string {
  const passage = chunk.passages[probe.passage]
  const unit = chunk.units[probe.unit]
  if (!passage) return ''
  const text = chunk.text.slice(passage.start, passage.end)
  if (!unit) return text
  return `${chunk.text.slice(passage.start, unit.start)} ${chunk.text.slice(unit.end, passage.end)}`.trim()
}

export function packedProbe({ first, ...probe }: Probe): Json {
  return { ...probe, ...(first ? { first: { ...first } } : {}) }
}

export function packedProbes(probes: readonly Probe[]): Json {
  return probes.map(packedProbe)
}

/** Chunks at random places of the id space, which is evenly filled because ids are hashes: each at most once. */
export function sampled(graph: GraphReader, rng: Random, count: number): Chunk[] {
  const seen = new Set<string>()
  const wanted = Math.min(count, graph.count('chunk'))
  for (let tries = 0; seen.size < wanted && tries < count * 4; tries++) {
    const id = graph.page('chunk', randomPlace(rng), 1)[0] ?? graph.page('chunk', '', 1)[0]
    if (id !== undefined) seen.add(id)
  }
  return [...seen].sort().flatMap((id) => graph.chunk(id) ?? [])
}

/** Consecutive chunks from a random place: since ids are hashes these, too, are a random sample, and two reads find them all. */
export function neighbouring(graph: GraphReader, rng: Random, count: number): Chunk[] {
  const after = graph.page('chunk', randomPlace(rng), count)
  const first = after.length < count ? graph.page('chunk', '', count - after.length) : []
  return [...new Set([...after, ...first])].flatMap((id) => graph.chunk(id) ?? [])
}

function randomPlace(rng: Random): string {
  return `c_${Array.from({ length: 6 }, () => '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'[rng.below(64)]).join('')}`
}

function sentenceProbe(chunk: Chunk, rng: Random): Probe | undefined {
  const able = chunk.units
    .map((unit, ordinal) => ({ ...unit, ordinal }))
    .filter((unit) => chunk.units.filter((other) => other.passage === unit.passage).length > 1)
    .filter((unit) => chunk.text.slice(unit.start, unit.end).split(/\s+/).length >= probing.min)
  const unit = able[rng.below(Math.max(1, able.length))]
  return unit ? { chunk: chunk.id, passage: unit.passage, text: chunk.text.slice(unit.start, unit.end), unit: unit.ordinal } : undefined
}

function wordsProbe(chunk: Chunk, vocabulary: readonly string[], rng: Random): Probe | undefined {
  const passage = rng.below(Math.max(1, chunk.passages.length))
  const span = chunk.passages[passage]
  if (!span) return undefined
  const words = chunk.text
    .slice(span.start, span.end)
    .split(/\s+/)
    .filter((word) => word.length > 3)
  const count = probing.words.min + rng.below(probing.words.max - probing.words.min + 1)
  if (words.length < count) return undefined
  const drawn = rng.shuffle(words).slice(0, count)
  const text = drawn.map((word) => (rng.next() < probing.noise ? (vocabulary[rng.below(vocabulary.length)] ?? word) : word)).join(' ')
  return { chunk: chunk.id, passage, text, unit: -1 }
}
