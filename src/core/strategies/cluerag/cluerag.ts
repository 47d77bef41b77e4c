/**
 * Clue-RAG (Su et al., 2025): chunk – knowledge unit – entity, walked by Q-Iter. Entities the question names and those of the units nearest
 * to it are anchors (Algorithm 4); from them the walk alternates between units and entities (Algorithm 3); passages of the kept paths are
 * ranked last. The scorer is a cross-encoder (the paper's, by restarted calls), the vectors, or the question's terms. Without anchors the
 * passage channel answers, and the trace says so.
 */
import { mentions } from '../../builders/mentions'
import { bestByChunk, type Clues, clues } from '../../channels/clues'
import { dense } from '../../channels/dense'
import { discriminativeTerms, lexical, type Weighted } from '../../channels/lexical'
import { contrast, ranked, shares } from '../../channels/order'
import { pathWorth } from '../../channels/paths'
import { embeddingScorer, lexicalScorer, pairKey, pathText, rerankScorer } from '../../channels/scorers'
import { type Path, type Scorer, walk } from '../../channels/walk'
import type { GraphReader } from '../../graph/reader'
import type { Hit, Json } from '../../graph/types'
import { chunkOf } from '../../ids'
import type { Query, Retrieved, Scores, Strategy } from '../../strategy'
import { decisions, entryVectors } from '../shared-builders'
import { anchorsOf, UNITS } from './anchors'
import { core } from './core'
import { type ClueOptions, readOptions } from './options'
import { beginsByVectors } from './settings'
import { ALL_STEPS, type ClueSteps } from './steps'

const CANDIDATES = 100 // passages from each channel
const ENTITIES = 20 // entities requested for each name: K are wanted out of those that the asker may see
const VECTOR_WEIGHT = 0.3 // of the vector channel beside the keyword channel, if the scorer trusts vectors at all

export function clueragWith(steps: Partial<ClueSteps>): Strategy {
  return strategyOf({ ...ALL_STEPS, ...steps })
}

export const cluerag = strategyOf(ALL_STEPS)

function strategyOf(steps: ClueSteps): Strategy {
  return {
    name: 'cluerag',
    builders: [mentions, core, decisions, entryVectors],
    entries: [
      { kind: 'passage', k: CANDIDATES },
      { kind: 'unit', k: UNITS, where: beginsByVectors },
      { kind: 'entity', k: ENTITIES, of: 'names', where: beginsByVectors },
    ],
    retrieve(graph, query, scores, options, settings) {
      const own = readOptions(options)
      const asked = prepareQuestion(graph, query, own, steps)
      const scorer = scorerFor(query, asked.terms, scores, own)
      const anchors = anchorsOf(graph, query, {
        ...asked,
        scorer,
        fanout: own.fanout,
        steps,
        byVectors: beginsByVectors(settings),
        isLexical: own.scorer === 'lexical',
      })
      const { paths, wanted } = walk(asked.source, anchors, scorer, { ...own, updating: steps.updating })
      if (wanted.length > 0) return requestScores(query, wanted.map(pathText))
      const ranking = own.scorer === 'reranker' ? rerankPassages(graph, query, asked, paths, scores) : addPathScores(asked.hits, paths)
      if ('kind' in ranking) return ranking
      const onPath = new Set(paths.flatMap((path) => path.units.map((unit) => unit.passage)))
      const found = ranking.slice(0, own.passages).map((hit) => ({ ...hit, via: onPath.has(hit.id) ? 'path' : 'passage' }))
      return { kind: 'evidence', found, ...(options.trace ? { trace: traceOf(own, anchors, paths) } : {}) }
    },
  }
}

interface PreparedQuestion {
  readonly terms: readonly Weighted[]
  /** Passages by keywords and, if the scorer trusts them, vectors; 0 to about 1. */
  readonly hits: readonly Hit[]
  readonly source: Clues
}

function prepareQuestion(graph: GraphReader, query: Query, own: ClueOptions, { titles }: ClueSteps): PreparedQuestion {
  const terms = discriminativeTerms(graph, query.terms)
  const words = lexical(graph, query, CANDIDATES, terms)
  const scores = shares(words)
  if (own.scorer !== 'lexical') {
    for (const [id, score] of contrast(dense(graph, query, words))) scores.set(id, (scores.get(id) ?? 0) + VECTOR_WEIGHT * score)
  }
  const hits = ranked(scores)
  const liked = bestByChunk(hits)
  const source = clues(graph, terms, liked, { titles, ...(query.admits ? { admits: query.admits } : {}) })
  return { terms, hits, source }
}

function scorerFor(query: Query, terms: readonly Weighted[], scores: Scores, own: ClueOptions): Scorer {
  const byTerms = lexicalScorer(terms)
  if (own.scorer === 'lexical') return byTerms
  const next = query.vector ? embeddingScorer(query.vector) : byTerms
  return own.scorer === 'reranker' ? rerankScorer(query.text, scores, next) : next
}

/** Path evidence stays in the final order: a passage's score is the channel's plus that of its best path. */
function addPathScores(hits: readonly Hit[], paths: readonly Path[]): readonly Hit[] {
  const sum = new Map(hits.map((hit) => [hit.id, hit.score]))
  for (const [id, worth] of pathWorth(paths)) sum.set(id, (sum.get(id) ?? 0) + worth)
  return ranked(sum)
}

/** The paper's last step: the cross-encoder orders the passages of all kept paths; what no path reached follows in the channel's order. */
function rerankPassages(
  graph: GraphReader,
  query: Query,
  asked: PreparedQuestion,
  paths: readonly Path[],
  scores: Scores,
): readonly Hit[] | Retrieved {
  const onPath = [...new Set(paths.flatMap((path) => path.units.map((unit) => unit.passage)))].sort()
  const texts = onPath.map((id) => ({ id, text: textOf(graph, id) }))
  const missing = texts.filter(({ text }) => !scores.has(pairKey(query.text, text)))
  if (missing.length > 0)
    return requestScores(
      query,
      missing.map((one) => one.text),
    )
  const best = ranked(new Map(texts.map(({ id, text }) => [id, 1 + (scores.get(pairKey(query.text, text)) ?? 0)])))
  const rest = asked.hits.filter((hit) => !onPath.includes(hit.id))
  const max = rest[0]?.score ?? 1
  return [...best, ...rest.map((hit) => ({ id: hit.id, score: hit.score / max }))]
}

function textOf(graph: GraphReader, passage: string): string {
  const title = graph.chunk(chunkOf(passage))?.title
  const text = graph.text(passage)?.text ?? ''
  return title ? `${title}\n${text}` : text
}

function requestScores(query: Query, texts: readonly string[]): Retrieved {
  return { kind: 'wanted', pairs: texts.map((text) => ({ key: pairKey(query.text, text), text })) }
}

function traceOf(own: ClueOptions, anchors: readonly string[], paths: readonly Path[]): Json {
  return {
    options: { ...own },
    anchors: [...anchors],
    ...(paths.length === 0 ? { fallback: 'no anchor led to a unit: the passage channel answers' } : {}),
    paths: paths.map((path) => ({
      score: path.score,
      depth: path.depth,
      from: path.anchor,
      units: path.units.map((unit) => ({ id: unit.id, passage: unit.passage, text: unit.text })),
    })),
  }
}
