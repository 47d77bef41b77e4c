/**
 * A keyword's statistics: the passages it occurs in, the sentences that say it, and the sum of their vectors, all exact integers. None of it is
 * stored: postings are the keyword index and sentences' vectors lie with their chunks, so the statistics are a view of both and are right the
 * moment a text comes or goes, in whatever order. Stored rows were tried: per chunk they cost 60 rows of a kilobyte and three times the whole time of
 * writing it (docs/ketrag.md). Only what search must find without reading is published (`published-keywords.ts`).
 */
import type { GraphReader } from '../../graph/reader'
import type { Vector } from '../../graph/types'
import { chunkOf, ordinalOf, unitId } from '../../ids'
import { accumulate } from '../../vectors'
import { unitsSaying } from './keyword-terms'

export const band = {
  min: 8, // passages of a published keyword; to find a rarer one, finding its few passages is enough
  max: 64, // passages of about 150 tokens: 9,600 tokens, more than twice any usual budget, so a more common word is no seed
} as const

export interface KeywordMean {
  /** Passages it occurs in. */
  readonly frequency: number
  /** Sentences that say it. */
  readonly count: number
  /** Sum of those sentences' vectors. */
  readonly sum: Int32Array
}

/** Over the best `max` of its passages by BM25; exact if it has no more than that. `frequency` is the index's. */
export function keyword(graph: GraphReader, term: string, frequency: number, max: number = band.max): KeywordMean {
  const sum = new Int32Array(graph.dimensions)
  let count = 0
  for (const hit of graph.match([term], Math.min(max, frequency))) {
    for (const vector of saying(graph, hit.id, term)) {
      accumulate(sum, vector)
      count++
    }
  }
  return { frequency, count, sum }
}

function saying(graph: GraphReader, passage: string, term: string): readonly Vector[] {
  const chunk = graph.chunk(chunkOf(passage))
  if (!chunk) return []
  return unitsSaying(chunk, ordinalOf(passage), term).flatMap((ordinal) => graph.vector(unitId(chunk.id, ordinal)) ?? [])
}
