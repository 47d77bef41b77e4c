/**
 * Which chunks the model rewrites into knowledge units, and what becomes of its replies. A chunk is decided on when it arrives: its value per token
 * against the running threshold, never beyond α of the tokens; `consolidate` chooses again by knapsack and pays only for the newly chosen (what was
 * already paid for stays). Without a text model nothing is chosen: the units are the sentences.
 */
import { knapsack } from '../../algorithms/knapsack'
import { WRITTEN, WRITTEN_VECTORS } from '../../builders/units'
import type { GraphReader } from '../../graph/reader'
import type { Change, Chunk } from '../../graph/types'
import { fingerprint } from '../../ids'
import type { Settings } from '../../settings'
import type { Builder, Task } from '../../strategy'
import { accumulate, mean } from '../../vectors'
import { CORE, ledgerOf, putLedger, sumOf } from './ledger'
import { replyChanges } from './received'
import { type ChunkValues, chunkValues } from './values'

export function coreOf(worth: ChunkValues): Builder {
  return {
    name: 'cluerag',
    builds: [],
    unitVectors: true,
    update(graph, delta, settings) {
      const patch: Change[] = delta.replies.flatMap((reply) => replyChanges(graph, reply))
      if (delta.added.length + delta.removed.length === 0) return { patch, tasks: [] }
      let { tokens, chunks, spent, threshold } = ledgerOf(graph)
      const sum = sumOf(graph)
      for (const { chunk, vectors } of delta.removed) {
        tokens -= chunk.tokens
        chunks--
        spent -= Number(graph.value(CORE, chunk.id) ?? 0)
        accumulate(sum, mean(vectors.passages, graph.dimensions), -1)
        patch.push(...dropChunkChanges(graph, chunk.id))
      }
      for (const chunk of delta.added) {
        tokens += chunk.tokens
        chunks++
        accumulate(sum, graph.vector(chunk.id) ?? [])
      }
      const chosen: Chunk[] = []
      for (const chunk of settings.writer ? delta.added : []) {
        const value = worth.onArrival(chunk, graph.vector(chunk.id), { sum, chunks })
        if (value / chunk.tokens < threshold || spent + chunk.tokens > settings.cluerag.alpha * tokens) continue
        spent += chunk.tokens
        chosen.push(chunk)
      }
      patch.push(...chosen.map(markChosen), ...putLedger({ tokens, chunks, spent, threshold }, sum))
      return { patch, tasks: chosen.map((chunk) => extractTask(chunk, settings)), cancelled: delta.removed.map((one) => one.chunk.id) }
    },
    brief(graph, { node }) {
      const chunk = graph.chunk(node)
      return chunk ? { kind: 'extract', name: chunk.name, text: chunk.text, want: { units: true, graph: false } } : undefined
    },
    consolidate(graph, settings) {
      if (!settings.writer || settings.cluerag.alpha <= 0) return { patch: [], tasks: [] }
      const all = everyChunk(graph)
      const ledger = ledgerOf(graph)
      const sum = sumOf(graph)
      const ofAll = worth.ofAll(graph, all, sum, settings.cluerag.selector)
      const open = all.flatMap((chunk, i) =>
        graph.value(CORE, chunk.id) === undefined ? [{ id: chunk.id, value: ofAll[i] ?? 0, cost: chunk.tokens }] : [],
      )
      const chosen = new Set(knapsack(open, settings.cluerag.alpha * ledger.tokens - ledger.spent))
      const fresh = all.filter((chunk) => chosen.has(chunk.id))
      const spent = fresh.reduce((total, chunk) => total + chunk.tokens, ledger.spent)
      const threshold = thresholdOf(graph, all, sum, settings, worth)
      return {
        patch: [...fresh.map(markChosen), ...putLedger({ ...ledger, spent, threshold }, sum)],
        tasks: fresh.map((chunk) => extractTask(chunk, settings)),
      }
    },
  }
}

export const core = coreOf(chunkValues)

/** The density from which an arriving chunk belongs to the α share, given how the present chunks are distributed. */
function thresholdOf(graph: GraphReader, all: readonly Chunk[], sum: Int32Array, { cluerag }: Settings, worth: ChunkValues): number {
  const total = all.reduce((tokens, chunk) => tokens + chunk.tokens, 0)
  const density = (chunk: Chunk): number => worth.onArrival(chunk, graph.vector(chunk.id), { sum, chunks: all.length }) / chunk.tokens
  const order = all.map((chunk) => ({ density: density(chunk), tokens: chunk.tokens })).sort((a, b) => b.density - a.density)
  let within = 0
  for (const one of order) {
    within += one.tokens
    if (within >= cluerag.alpha * total) return one.density
  }
  return 0
}

function dropChunkChanges(graph: GraphReader, chunk: string): Change[] {
  if (graph.value(CORE, chunk) === undefined) return []
  const written: Change[] = [WRITTEN, WRITTEN_VECTORS].map((space) => ({ op: 'drop-value', space, key: chunk }))
  return [{ op: 'drop-value', space: CORE, key: chunk }, ...written]
}

function markChosen(chunk: Chunk): Change {
  return { op: 'put-value', space: CORE, key: chunk.id, value: chunk.tokens }
}

function extractTask(chunk: Chunk, settings: Settings): Task {
  return { builder: 'cluerag', kind: 'extract', node: chunk.id, input: fingerprint('units', settings.models, chunk.id), urgent: true }
}

function everyChunk(graph: GraphReader): Chunk[] {
  const out: Chunk[] = []
  for (let after = ''; ; ) {
    const ids = graph.page('chunk', after, 500)
    out.push(...ids.flatMap((id) => graph.chunk(id) ?? []))
    const last = ids.at(-1)
    if (last === undefined) return out
    after = last
  }
}
