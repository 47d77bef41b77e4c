/** Model calls of deleting single documents from a corpus, by kind and layer. */
import { deletions, median } from '../../test/node/corpus/deleting'

const STRATEGIES = [['erarag'], ['cluerag'], ['ketrag'], ['archrag']]

export async function deletedReport(documents: number, deleted: number): Promise<string> {
  const lines = [`deleting one of ${documents} documents, ${deleted} times: tasks for models`]
  for (const strategies of STRATEGIES) {
    const all = await deletions(strategies, documents, deleted)
    const kinds = [...new Set(all.flatMap((one) => Object.keys(one.kinds)))].sort()
    const by = kinds.map((kind) => `${kind} ${spread(all.map((one) => one.kinds[kind] ?? 0))}`)
    const layers = [...new Set(all.flatMap((one) => Object.keys(one.layers)))].sort()
    const of = layers.map((layer) => `layer ${layer}: ${spread(all.map((one) => one.layers[Number(layer)] ?? 0))}`)
    lines.push(`${strategies.join(', ')}: ${by.join('; ') || 'none'}${of.length > 0 ? ` (${of.join(', ')})` : ''}`)
  }
  return lines.join('\n')
}

function spread(counts: readonly number[]): string {
  const mean = counts.reduce((sum, n) => sum + n, 0) / Math.max(1, counts.length)
  return `median ${median(counts)}, mean ${mean.toFixed(2)}, most ${Math.max(...counts)}`
}
