/**
 * How much more a corpus asks for before a question counts as answered. Questions made from its own sentences are put to its passages, and to them without
 * the document they come from: where other documents nearly answer them all the same (chats of the same people, pages from one template), the words of a question prove
 * less. Never so much that the questions whose document is there would be refused. No labels, no model.
 */
import { discriminativeTerms, idf } from '../../channels/lexical'
import type { GraphReader } from '../../graph/reader'
import { chunkOf } from '../../ids'
import { random } from '../../random'
import type { Passage } from '../../reader/candidates'
import { LIMIT, oddsOf } from '../../reader/confidence'
import { byLetters } from '../../reader/fitted'
import { probeOf } from '../../reader/probes'
import { signsOf } from '../../reader/signs'
import { distinct, terms } from '../../text/terms'
import type { Probe } from './probes'

const rule = {
  probes: 20, // fewer say nothing
  share: 0.3, // of what the better quarter of questions without their document reach beyond what is usual
  usual: -1, // ln-odds that these reach among 24 articles of an encyclopaedia
  max: 0.75,
  answered: 0.05, // of the questions with their document that may come to be refused
  read: 6, // passages for an answer
  looked: 24, // passages among which as many of other documents are looked for
} as const
const NOTHING = -10 // ln-odds where nothing was found

/** Ln-odds of one probe with its document there, and without; by letters. */
export type Odds = readonly [here: number, gone: number]

export function oddsOfProbes(graph: GraphReader, probes: readonly Probe[]): Odds[] {
  return probes.flatMap((probe) => {
    const chunk = graph.chunk(probe.chunk)
    const unit = chunk?.units[probe.unit]
    const question = chunk && unit && probeOf(chunk.text.slice(unit.start, unit.end), random(`read ${probe.chunk} ${probe.unit}`))
    return question ? [oddsOfQuestion(graph, question, probe.chunk)] : []
  })
}

export function strictnessOf(odds: readonly Odds[]): number {
  if (odds.length < rule.probes) return 0
  const gone = quantile(
    odds.map(([, one]) => one),
    0.75,
  )
  const here = quantile(
    odds.map(([one]) => one),
    rule.answered,
  )
  const wanted = Math.min(rule.share * (gone - rule.usual), here - LIMIT, rule.max)
  return Number(Math.max(0, wanted).toFixed(2))
}

function oddsOfQuestion(graph: GraphReader, question: string, source: string): Odds {
  const list = distinct(terms(question))
  const passages = graph.count('passage')
  const frequencies = graph.frequency(list)
  const asked = new Map(list.map((term, i) => [term, { weight: idf(passages, frequencies[i] ?? 0), isKnown: (frequencies[i] ?? 0) > 0 }]))
  const words = discriminativeTerms(graph, list).map((one) => one.term)
  const hits = words.length > 0 ? graph.match(words, rule.looked).map((hit) => hit.id) : []
  const own = new Set(graph.placements(source).map((one) => one.document))
  const isOwn = (id: string): boolean => graph.placements(chunkOf(id)).some((one) => own.has(one.document))
  const odds = (ids: readonly string[]): number => {
    const signs = signsOf(
      question,
      ids.slice(0, rule.read).flatMap((id) => passageIn(graph, id)),
      asked,
    )
    return signs ? oddsOf(signs, byLetters) : NOTHING
  }
  return [odds(hits), odds(hits.filter((id) => !isOwn(id)))]
}

function passageIn(graph: GraphReader, id: string): Passage[] {
  const text = graph.text(id)?.text
  const title = graph.chunk(chunkOf(id))?.title
  return text === undefined ? [] : [{ id, text, ...(title ? { title } : {}) }]
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}
