/**
 * Short passages from sampled chunks: a run of whole sentences of each, from a position drawn by a seed, so that the same texts give the
 * same passages. Pure.
 */
import { exampleLimits } from '../core/guidance'
import type { SampledChunk } from '../core/ontology-counts'
import { random } from '../core/random'
import { entities } from '../core/text/entities'
import { sentences } from '../core/text/sentences'
import { line } from './replies'

const PASSAGES = 24 // at most, evenly spaced
const SHORT = 120 // characters; a passage below that says too little to learn from, if there are longer ones
const NAMES = 10 // in an example: more would teach a model to name too much, and there is no room for them

export interface Passage {
  readonly document: string
  readonly text: string
}

export function excerpts(sample: readonly SampledChunk[]): readonly Passage[] {
  const all = sample.flatMap(({ document, text }) => {
    const passage = excerpt(text)
    return passage === '' ? [] : [{ document, text: passage }]
  })
  const long = all.filter(({ text }) => text.length >= SHORT)
  const usable = long.length > 0 ? long : all
  const step = Math.max(1, usable.length / PASSAGES)
  return usable.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).slice(0, PASSAGES)
}

/** Whole sentences, as one line; a sentence that is too long is left out. */
function excerpt(text: string): string {
  const all = sentences(text)
  const first = random(text).below(Math.max(1, all.length - 3))
  for (const from of [first, 0]) {
    let best = ''
    for (const { end } of all.slice(from)) {
      const run = line(text.slice(all[from]?.start ?? 0, end), exampleLimits.text + 1)
      if (run.length > exampleLimits.text) break
      best = run
    }
    if (/\p{L}/u.test(best)) return best
  }
  return ''
}

/** The passages that name most, up to a limit, from as many documents as possible. */
export function richest(passages: readonly Passage[], count: number): readonly Passage[] {
  const ranked = passages
    .map((passage) => ({ passage, names: new Set(entities(passage.text).map(({ key }) => key)).size }))
    .map((one) => ({ ...one, rank: one.names > NAMES ? NAMES - (one.names - NAMES) : one.names }))
    .sort((a, b) => b.rank - a.rank)
  const seen = new Set<string>()
  const firsts = ranked.filter(({ passage: { document } }) => !seen.has(document) && seen.add(document))
  const others = ranked.filter((one) => !firsts.includes(one))
  return [...firsts, ...others].slice(0, count).map(({ passage }) => passage)
}
