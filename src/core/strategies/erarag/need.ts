/** What EraRAG asks of models: summaries of segments, layer by layer. */
import type { Bulk } from '../../estimate/bulk'
import type { Need, Work } from '../../estimate/need'
import { type Case, rates } from '../../estimate/rates'
import { average, embedding, sum, written } from '../../estimate/work'
import type { Settings } from '../../settings'

export const need: Need = {
  own: ({ bulk, settings, bound, writes }) => [summaries(bulk, settings, bound, writes)],
}

/**
 * At best every segment is summarised once, in few large segments; at worst documents come one by one, and each causes some rewrites in every
 * layer.
 */
function summaries(bulk: Bulk, settings: Settings, bound: Case, writes: boolean): Work {
  const { count, read } = bound === 'max' ? oneByOne(bulk, settings) : atOnce(bulk, settings, bound)
  const { summary } = settings.erarag
  const embedded = embedding(count * summary, count)
  return writes ? sum([embedded, written('summarize', { calls: count, read, out: count * summary }, bound)]) : embedded
}

function atOnce(bulk: Bulk, { erarag }: Settings, bound: Case): { count: number; read: number } {
  const size = bound === 'min' ? erarag.max : (erarag.min + erarag.max) / 2
  const layers = segments(bulk.chunks, size, erarag.layers)
  const above = layers.slice(0, -1).reduce((total, n) => total + n, 0)
  return {
    count: layers.reduce((total, n) => total + n, 0),
    read: layers.length > 0 ? bulk.chunks * average(bulk) + above * erarag.summary : 0,
  }
}

function oneByOne(bulk: Bulk, { erarag }: Settings): { count: number; read: number } {
  const size = (erarag.min + erarag.max) / 2
  const layers = segments(bulk.chunks, erarag.min, erarag.layers).length
  const each = rates.remade.max * bulk.chunks
  return { count: each * layers, read: each * size * (average(bulk) + Math.max(0, layers - 1) * erarag.summary) }
}

/** How many segments each layer has; none if there is too little to summarise. */
function segments(chunks: number, size: number, max: number): number[] {
  const out: number[] = []
  for (let members = chunks; members > size && out.length < max; members = out.at(-1) ?? 0) out.push(Math.ceil(members / size))
  return out
}
