/**
 * What the channels say to a probe: its passage is searched for as if it said only what is left without the probe's sentence. Vectors compete in a
 * pool of passages that is read once for many probes. Pure.
 */
import { packedDot, pairsOf, swappedOf } from '../../algorithms/packed-dot'
import { discriminativeTerms } from '../../channels/lexical'
import { byScore } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit, Stemmed, Vector } from '../../graph/types'
import { passageId, unitId } from '../../ids'
import type { Query } from '../../strategy'
import { distinct, terms } from '../../text/terms'
import { cosine, dot, norm } from '../../vectors'
import { CANDIDATES, type Channels, readChannels } from './channels'
import { type Probe, restOf } from './probes'

const WIDE = 8 // times as many keyword hits are read as there are candidates: the target may fall far down

/** A probe with the vectors it needs; `rest` is the vector of its passage without the sentence. */
export interface EmbeddedProbe {
  readonly probe: Probe
  readonly question?: Vector
  readonly rest?: Vector
}

export interface ProbeChannels {
  readonly probe: Probe
  readonly target: string
  /** What is asked, and what is near it. */
  readonly query: Query
  readonly said: Channels
}

/** For the probes whose passages still exist. */
export function channelsForProbes(graph: GraphReader, probes: readonly EmbeddedProbe[], pool: readonly string[]): ProbeChannels[] {
  const near = nearest(
    graph,
    probes.map((one) => one.question),
    pool,
  )
  return probes.flatMap((one, i) => channelsForProbe(graph, one, near[i] ?? []))
}

function channelsForProbe(graph: GraphReader, { probe, question, rest }: EmbeddedProbe, pooled: readonly Hit[]): ProbeChannels[] {
  const chunk = graph.chunk(probe.chunk)
  const target = passageId(probe.chunk, probe.passage)
  if (!chunk?.passages[probe.passage]) return []
  const asked = distinct(terms(probe.text, chunk.language))
  const words = keywordHitsWithoutSentence(graph, asked, {
    target,
    whole: graph.text(target)?.text ?? '',
    rest: restOf(chunk, probe),
    title: chunk.title,
    language: chunk.language,
  })
  const near = question ? withTarget(pooled, question, target, rest ?? graph.vector(target)) : []
  const query: Query = { text: probe.text, terms: asked, near: { passage: near }, ...(question ? { vector: question } : {}) }
  const out = probe.unit >= 0 ? unitId(probe.chunk, probe.unit) : undefined
  const said = readChannels(graph, query, { dense: question !== undefined, paths: true, words, lacks: (unit) => unit === out })
  return [{ probe, target, query, said }]
}

interface Left {
  readonly target: string
  readonly whole: string
  readonly rest: string
  readonly title: string
  readonly language: Stemmed | undefined
}

/** Keyword hits as they would be if the target said only the rest: its score in proportion to what its own terms would score. */
function keywordHitsWithoutSentence(
  graph: GraphReader,
  asked: readonly string[],
  { target, whole, rest, title, language }: Left,
): readonly Hit[] {
  const telltale = discriminativeTerms(graph, asked)
  const hits = graph.match(
    telltale.map((one) => one.term),
    CANDIDATES * WIDE,
  )
  const own = (text: string): number => {
    const said = terms(`${title}\n${text}`, language)
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

/** The target, scored by what is left of it. It stays in, however low: its score is that of what is left, and must not be looked up again. */
function withTarget(pooled: readonly Hit[], question: Vector, target: string, left: Vector | undefined): readonly Hit[] {
  const others = pooled.filter((hit) => hit.id !== target)
  const hits = left ? [...others, { id: target, score: cosine(question, left) }] : others
  return hits.sort(byScore).filter((hit, rank) => rank < CANDIDATES || hit.id === target)
}

interface Question {
  readonly vector: Vector
  readonly length: number
  readonly swapped: Int32Array | undefined
  best: Hit[]
}

/** For each question, the best of the pool by cosine, one more than are taken, since one of them may be the target. Every vector is read once. */
function nearest(graph: GraphReader, questions: readonly (Vector | undefined)[], pool: readonly string[]): (readonly Hit[])[] {
  const asked = questions.map(
    (vector): Question | undefined => vector && { vector, length: norm(vector), swapped: swappedOf(vector), best: [] },
  )
  const present = asked.filter((one) => one !== undefined)
  for (const id of present.length > 0 ? new Set(pool) : []) {
    const vector = graph.vector(id)
    if (!vector) continue
    const [length, pairs] = [norm(vector), pairsOf(vector)]
    for (const question of present) {
      const product = pairs && question.swapped ? packedDot(pairs, question.swapped) : dot(question.vector, vector)
      const lengths = question.length * length
      question.best.push({ id, score: lengths > 0 ? product / lengths : 0 })
      if (question.best.length >= 8 * CANDIDATES) keepBest(question)
    }
  }
  for (const question of present) keepBest(question)
  return asked.map((question) => question?.best ?? [])
}

function keepBest(question: Question): void {
  question.best = question.best.sort(byScore).slice(0, CANDIDATES + 1)
}
