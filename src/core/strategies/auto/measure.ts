/**
 * How well each channel finds the probes' passages, and the weights that follow. Vectors must prove themselves: they get a weight only for a
 * gain beyond one standard error. Paths and links cannot be proved by probes that one passage answers, only refuted: they keep their
 * full weight down to the first value whose loss is within one standard error. Pure.
 */

import { lexicalLimits, telling } from '../../channels/lexical'
import { byScore } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit, Vector } from '../../graph/types'
import { chunkOf, passageId, unitId } from '../../ids'
import type { Query } from '../../strategy'
import { distinct, terms } from '../../text/terms'
import { cosine } from '../../vectors'
import { CANDIDATES, type Channels, listen } from './channels'
import { blended, seeding, walkedFrom } from './fuse'
import type { Probe } from './probes'
import { restOf } from './probes'
import { unmeasured, type Weights } from './weights'

export const grid = {
  dense: [0, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2],
  paths: [1, 0.7, 0.5, 0.3, 0.2, 0.1, 0],
  links: [1, 0.85, 0.7, 0.5, 0],
} as const
const FAINT = 0.3 // weight of paths without links: the best of them is then worth a third of the best keyword passage at most

/** A probe with the vectors it needs; `rest` is that of its passage without the sentence. */
export interface Vectored {
  readonly probe: Probe
  readonly question?: Vector
  readonly rest?: Vector
}

interface Heard {
  readonly target: string
  readonly said: Channels
}

export function measure(graph: GraphReader, probes: readonly Vectored[], pool: readonly string[]): Weights {
  const heard = probes.flatMap((one) => hear(graph, one, pool))
  const vectors = probes.some((one) => one.question)
  const dense = vectors
    ? proved(grid.dense, (value) => heard.map((one) => worth(seeding(one.said, { dense: value, paths: 0, links: 0 }), one.target)))
    : unmeasured.dense
  const paths = unrefuted(grid.paths, (value) =>
    heard.map((one) => worth(seeding(one.said, { dense, paths: value, links: 0 }), one.target)),
  )
  const walks = heard.map((one) => {
    const seeds = seeding(one.said, { dense, paths, links: 0 })
    return { seeds, target: one.target, walked: walkedFrom(graph, seeds, one.said.named) }
  })
  const links = unrefuted(grid.links, (value) => walks.map((one) => worth(blended(one.seeds, one.walked, value), one.target)))
  return restrained({ dense, paths, links })
}

/** Paths run over the same names as links. Where links lose, they only settle what the other channels leave nearly even. */
export function restrained({ dense, paths, links }: Weights): Weights {
  return { dense, paths: Math.min(paths, Math.max(FAINT, links)), links }
}

function hear(graph: GraphReader, { probe, question, rest }: Vectored, pool: readonly string[]): Heard[] {
  const chunk = graph.chunk(probe.chunk)
  const target = passageId(probe.chunk, probe.passage)
  if (!chunk?.passages[probe.passage]) return []
  const asked = distinct(terms(probe.text))
  const words = lessened(graph, asked, { target, whole: graph.text(target)?.text ?? '', rest: restOf(chunk, probe), title: chunk.title })
  const near = question ? nearest(graph, question, pool, target, rest) : []
  const query: Query = { text: probe.text, terms: asked, near: { passage: near }, ...(question ? { vector: question } : {}) }
  const out = probe.unit >= 0 ? unitId(probe.chunk, probe.unit) : undefined
  const said = listen(graph, query, { dense: question !== undefined, paths: true, words, lacks: (unit) => unit === out })
  return [{ target, said }]
}

/** Keyword hits as they would be if the target said only the rest: its score in proportion to what its own terms would score. */
function lessened(
  graph: GraphReader,
  asked: readonly string[],
  { target, whole, rest, title }: { readonly target: string; readonly whole: string; readonly rest: string; readonly title: string },
): readonly Hit[] {
  const telltale = telling(graph, asked)
  const hits = graph.match(
    telltale.map((one) => one.term),
    CANDIDATES * lexicalLimits.widen,
  )
  const own = (text: string): number => {
    const said = terms(`${title}\n${text}`)
    return telltale.reduce((sum, one) => {
      const count = said.filter((term) => term === one.term).length
      return sum + (one.idf * count * 2.2) / (count + 1.2) // BM25 at average length: both texts are nearly as long
    }, 0)
  }
  const before = own(whole)
  const share = before > 0 ? own(rest) / before : 0
  const less = hits.map((hit) => (hit.id === target ? { ...hit, score: hit.score * share } : hit)).filter((hit) => hit.score > 0)
  return less.sort(byScore).slice(0, CANDIDATES)
}

function nearest(graph: GraphReader, question: Vector, pool: readonly string[], target: string, rest: Vector | undefined): readonly Hit[] {
  const ids = new Set([...pool, target])
  const hits = [...ids].flatMap((id) => {
    const vector = id === target ? (rest ?? graph.vector(id)) : graph.vector(id)
    return vector ? [{ id, score: cosine(question, vector) }] : []
  })
  // The target stays in, however low: its score here is that of what is left, and must not be looked up again.
  return hits.sort(byScore).filter((hit, rank) => rank < CANDIDATES || hit.id === target)
}

/** (recall@5 + nDCG@10) / 2 of one wanted passage; a passage counts once per chunk, as a document does in a ranking. */
function worth(ranking: readonly Hit[], target: string): number {
  const chunks = [...new Set(ranking.slice(0, CANDIDATES).map((hit) => chunkOf(hit.id)))]
  const rank = chunks.indexOf(chunkOf(target))
  if (rank < 0 || rank >= 10) return 0
  return ((rank < 5 ? 1 : 0) + 1 / Math.log2(rank + 2)) / 2
}

/** The best value, 0 unless its paired gain over 0 is more than one standard error. */
export function proved(values: readonly number[], score: (value: number) => readonly number[]): number {
  const none = score(0)
  const gains = values.map((value) => ({ value, ...paired(score(value), none) }))
  const best = gains.reduce((top, one) => (one.mean > top.mean ? one : top))
  return best.mean > best.error ? best.value : 0
}

const REFUTED = 1 // standard errors: as little as proves a vector refutes a path or a link; a corpus of chats or abstracts is not ranked by links that lose on it

/** The first value whose paired loss against 0 is not beyond chance. */
export function unrefuted(values: readonly number[], score: (value: number) => readonly number[]): number {
  const none = score(0)
  return (
    values.find((value) => {
      const { mean, error } = paired(score(value), none)
      return -mean <= REFUTED * error
    }) ?? 0
  )
}

function paired(a: readonly number[], b: readonly number[]): { readonly mean: number; readonly error: number } {
  const gains = a.map((value, i) => value - (b[i] ?? 0))
  const n = Math.max(1, gains.length)
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / n
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / Math.max(1, n - 1)
  return { mean, error: Math.sqrt(variance / n) }
}
