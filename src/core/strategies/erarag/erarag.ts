/**
 * EraRAG (arXiv 2506.20963): questions answered from all layers of the summary tree at once. Options: `mode` "detailed" or "summarised" first gives
 * a share `p` of the evidence to passages or to summaries; without it the tree is searched collapsed. `rank` "cosine" ranks by cosine alone, as the
 * paper does. The trace names the layers and the stale summaries.
 */
import type { GraphReader } from '../../graph/reader'
import type { Json } from '../../graph/types'
import { chunkOf, kindOf } from '../../ids'
import type { Query, Strategy } from '../../strategy'
import { eraBuilder } from './build'
import { type Candidates, candidatesFor, entries } from './candidates'
import { readOptions } from './options'
import { type Selection, type SelectionRequest, select, type View } from './select'
import { supportOf } from './support'
import { allStale, segmentOf } from './tree'
import { treesIn } from './trees'

export { eraBuilder }

const NAMED = 50 // stale summaries the trace names

export const erarag: Strategy = {
  name: 'erarag',
  omits: ['names', 'homes'],
  builders: [eraBuilder],
  trees: treesIn,
  entries: [
    { kind: 'passage', k: entries.passages },
    { kind: 'summary', k: entries.summaries },
  ],
  retrieve(graph, query, _scores, options) {
    const { mode, p, rank } = readOptions(options)
    const wish: SelectionRequest = { mode, p, k: options.topK, budget: options.budget }
    const candidates = candidatesFor(graph, query, rank)
    const selection = select(candidates.passages, candidates.summaries, wish, viewOf(graph, query, candidates))
    const found = selection.found
    return { kind: 'evidence', found, ...(options.trace ? { trace: traceOf(graph, wish, candidates, selection) } : {}) }
  },
}

function viewOf(graph: GraphReader, query: Query, candidates: Candidates): View {
  const supports = new Map<string, readonly string[]>()
  const tokens = new Map<string, number>()
  return {
    tokens(id) {
      const known = tokens.get(id) ?? (kindOf(id) === 'summary' ? graph.node(id) : graph.text(id))?.tokens ?? 0
      tokens.set(id, known)
      return known
    },
    child: (id) => (kindOf(id) === 'passage' ? chunkOf(id) : id),
    members: (id) => membersOf(graph, id),
    support(id) {
      const known = supports.get(id)
      if (known) return known
      const node = graph.node(id)
      const made = node ? supportOf(graph, query, candidates, node) : []
      supports.set(id, made)
      return made
    },
  }
}

function membersOf(graph: GraphReader, id: string): readonly string[] {
  const node = graph.node(id)
  return node ? segmentOf(node).members : []
}

function traceOf(
  graph: GraphReader,
  { mode, p, k }: SelectionRequest,
  { passages, summaries }: Candidates,
  { found, repeated }: Selection,
): Json {
  const stale = graph.trees ? [] : allStale(graph, NAMED + 1) // a tree that is elsewhere is not listed
  return {
    mode,
    ...(mode === 'collapsed' ? {} : { p, favoured: Math.floor(p * k) }),
    ...(graph.isPartial ? {} : { layers: layersOf(graph) }),
    candidates: { passages: passages.length, summaries: summaries.length },
    repeated: [...repeated],
    stale: {
      shown: found.flatMap(({ id }) => (graph.node(id)?.stale ? [id] : [])),
      waiting: stale.slice(0, NAMED).map((id) => ({ id, text: graph.node(id)?.text === '' ? 'none' : 'former' })),
      more: stale.length > NAMED,
    },
  }
}

function layersOf(graph: GraphReader): Json {
  const out = [{ layer: 0, count: graph.count('chunk') }]
  for (let layer = 1, count = graph.count('summary', 1); count > 0; layer++, count = graph.count('summary', layer))
    out.push({ layer, count })
  return out
}
