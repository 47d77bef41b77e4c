/**
 * What a question about the whole corpus is answered from: the documents it means and, if it means all of them, the summaries or communities above most of
 * them. Undefined for every other question. Reads a limited number of documents, whatever the corpus contains.
 */
import type { GraphReader } from '../../graph/reader'
import type { DocumentRecord, Hit, Json } from '../../graph/types'
import { kindOf } from '../../ids'
import type { OverviewPlan } from '../../reader/overview/plan'
import { type OverviewKind, overviewQuestion } from '../../reader/overview/question'
import type { Found, Options, Query } from '../../strategy'
import { inFilter, SAMPLED, sampleDocuments } from './documents'
import { choosePassages } from './passages'
import { type Subjects, subjectsOf } from './subject'
import { summariesAbove } from './summaries'

const SUMMARIES = 6 // shown above all documents

export interface Overview {
  readonly found: readonly Found[]
  readonly plan: OverviewPlan
  /** Names that several of its texts say. */
  readonly names: readonly string[]
}

export function overviewOf(graph: GraphReader, query: Query, options: Options): Overview | undefined {
  const asked = overviewQuestion(query.text)
  if (!asked) return undefined
  const subjects = subjectsOf(graph, query, asked)
  // A request for a summary of something is answered from what is found about it.
  if (!subjects)
    return asked.needs === 'anything'
      ? { found: [], plan: { kind: 'topic', about: asked.about.join(' '), sides: [], looked: 0, from: 'documents' }, names: [] }
      : undefined
  return made(graph, query, options, { ...subjects, kind: asked.kind })
}

function made(
  graph: GraphReader,
  query: Query,
  options: Options,
  { kind, whole, sides }: Subjects & { readonly kind: OverviewKind },
): Overview | undefined {
  const recordsOf = (ids: readonly string[]): DocumentRecord[] =>
    ids.flatMap((id) => graph.document(id) ?? []).filter((one) => inFilter(graph, query, one))
  const groups = sides.length > 1 ? sides.map(recordsOf) : [whole.kind === 'all' ? sampleDocuments(graph, query) : recordsOf(whole.ids)]
  const looked = groups.flat()
  if (looked.length === 0) return undefined
  const { max_per_document: most } = options.own
  const count = options.whole ?? options.topK
  const perDocument = typeof most === 'number' ? most : count
  const chosen = choosePassages(graph, query, {
    kind: groups.length > 1 || kind !== 'comparison' ? kind : 'summary',
    sides: groups,
    count,
    perDocument,
  })
  const score = (at: number): number => 1 - at / (chosen.passages.length + 1)
  const passages = chosen.passages.map((id, at): Found => ({ id, score: score(at), via: 'overview' }))
  const above =
    whole.kind === 'all' && !query.admits
      ? summariesAbove(graph, leads(chosen.passages, chosen.documents.length), { passages: SAMPLED, summaries: SUMMARIES })
      : []
  return {
    found: [...above.map((one) => ({ ...one, score: 1 })), ...passages],
    plan: {
      kind: groups.length > 1 || kind !== 'comparison' ? kind : 'summary',
      sides: shownBy(groups, chosen.documents),
      looked: looked.length,
      from: sourceOf(above),
    },
    names: chosen.names,
  }
}

/** What each document begins with. */
function leads(passages: readonly string[], documents: number): Hit[] {
  return passages.slice(0, documents).map((id) => ({ id, score: 1 }))
}

function shownBy(groups: readonly (readonly DocumentRecord[])[], shown: readonly string[]): string[][] {
  const known = new Set(shown)
  return groups.map((group) => group.flatMap(({ id }) => (known.has(id) ? [id] : [])))
}

function sourceOf(above: readonly Found[]): OverviewPlan['from'] {
  const [first] = above
  if (!first) return 'documents'
  return kindOf(first.id) === 'community' ? 'communities' : 'summaries'
}

export function overviewTrace({ plan, names, found }: Overview): { readonly [key: string]: Json } {
  const { kind, sides, looked, from } = plan
  return { overview: { kind, from, documents: sides.map((side) => [...side]), looked, names: [...names], pieces: found.length } }
}
