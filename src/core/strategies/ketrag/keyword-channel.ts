/**
 * KET-RAG's keyword channel (Algorithm 4): twice the channel's budget is collected, half of it the best passages, half the passages of the keywords
 * nearest to the question; the best of all these is its answer. It tries the question's own keywords, the published ones that the vector index
 * finds, and those of the best passages. A word in more than 64 passages is no seed; when seeds run out, passages fill the rest.
 */

import { publishedTerm } from '../../builders/published-term'
import { idf } from '../../channels/lexical'
import { byScore } from '../../channels/order'
import type { Hit } from '../../graph/types'
import { chunkOf } from '../../ids'
import { distinct, terms } from '../../text/terms'
import { cosine } from '../../vectors'
import { band, keyword } from './keyword-mean'
import { keywordId } from './published-keywords'
import type { Question } from './question'

const limits = {
  readers: 6, // best passages whose keywords are tried
  tried: 160, // published keywords compared with the question
  summed: 8, // passages read for the mean of one of the question's words
  seeds: 24, // keywords followed
  passages: 64, // of one keyword, best first
} as const
/**
 * The share of what is collected that comes straight from the best passages: by keywords alone the channel falls below plain search
 * (docs/ketrag.md).
 */
const DIRECT = 0.5

export interface Seed {
  readonly term: string
  readonly score: number
}

export interface CollectedPassages {
  readonly seeds: readonly Seed[]
  /** Best first. */
  readonly passages: readonly Hit[]
}

/** `room` is twice the channel's share of the budget, in tokens. */
export function collectPassages(question: Question, room: number): CollectedPassages {
  const taken = new Map<string, number>()
  let left = room
  const take = (hits: readonly { readonly id: string }[]): void => {
    for (const { id } of hits) {
      if (left <= 0) return
      if (taken.has(id) || question.query.admits?.(chunkOf(id)) === false) continue
      taken.set(id, question.worth(id))
      left -= question.graph.text(id)?.tokens ?? 0
    }
  }
  left = room * DIRECT
  take(question.best)
  left += room * (1 - DIRECT)
  const followed: Seed[] = []
  for (const seed of keywordSeeds(question)) {
    if (left <= 0) break
    followed.push(seed)
    take(passagesOfKeyword(question, seed.term))
  }
  take(question.best)
  return { seeds: followed, passages: [...taken].map(([id, score]) => ({ id, score })).sort(byScore) }
}

/** Passages of a keyword, best for the question first. */
function passagesOfKeyword({ graph, worth }: Question, term: string): readonly Hit[] {
  const hits = graph.match([term], limits.passages)
  return hits.map((hit) => ({ id: hit.id, score: worth(hit.id) })).sort(byScore)
}

function keywordSeeds(question: Question): readonly Seed[] {
  const { graph, query } = question
  const passages = graph.count('passage')
  const scored = candidates(question).map(({ term, frequency, near }): Seed => {
    return { term, score: query.vector ? near : near * idf(passages, frequency) }
  })
  const order = scored.sort((a, b) => b.score - a.score || (a.term < b.term ? -1 : 1))
  return order.filter((one) => one.score > 0).slice(0, limits.seeds)
}

interface Candidate {
  readonly term: string
  readonly frequency: number
  /** Cosine with the keyword's mean; 1 for the question's own words while there are no vectors. */
  readonly near: number
}

/** The question's own keywords by their present mean, the others by their published one. */
function candidates({ graph, query, terms: own, best }: Question): readonly Candidate[] {
  const { vector } = query
  const known = new Map<string, Candidate>()
  for (const { term, frequency } of own) {
    if (frequency > band.max) continue
    const near = vector ? cosine(vector, keyword(graph, term, frequency, limits.summed).sum) : 1
    known.set(term, { term, frequency, near })
  }
  if (!vector) return [...known.values()]
  const found = (query.near.keyword ?? []).flatMap((hit) => publishedTerm(graph, hit.id) ?? [])
  const read = best.slice(0, limits.readers).flatMap((hit) => distinct(terms(graph.text(hit.id)?.text ?? '')))
  const others = distinct([...found, ...read]).filter((term) => !known.has(term))
  for (const term of others.slice(0, limits.tried)) {
    const node = graph.node(keywordId(term))
    const frequency = typeof node?.data.passages === 'number' ? node.data.passages : 0
    if (node?.vector) known.set(term, { term, frequency, near: cosine(vector, node.vector) })
  }
  return [...known.values()]
}
