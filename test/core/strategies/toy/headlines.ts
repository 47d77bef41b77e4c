/** The toy's builder: a summary above each chunk. */
import type { GraphReader } from '../../../../src/core/graph/reader'
import type { Change, Chunk } from '../../../../src/core/graph/types'
import { chunkOf, nodeId } from '../../../../src/core/ids'
import type { Settings } from '../../../../src/core/settings'
import type { Builder } from '../../../../src/core/strategy'
import { countTokens } from '../../../../src/core/text/tokens'

const idOf = (chunk: string): string => nodeId('summary', 'toy', chunk)

export const headlines: Builder = {
  name: 'toy',
  builds: ['summary'],
  update(_graph, { added, removed }, settings) {
    const gone = removed.flatMap(({ chunk }): Change[] => [
      { op: 'drop-edge', kind: 'member', source: chunk.id, target: idOf(chunk.id) },
      { op: 'drop-node', id: idOf(chunk.id) },
    ])
    return { patch: [...gone, ...added.flatMap((chunk) => headline(chunk, settings))], tasks: [] }
  },
}

function headline(chunk: Chunk, { toy = { words: 4, fewest: 2 } }: Settings): Change[] {
  const words = chunk.text.split(/\s+/)
  if (words.length < toy.fewest) return []
  const text = words.slice(0, toy.words).join(' ')
  const id = idOf(chunk.id)
  return [
    { op: 'put-node', node: { id, kind: 'summary', layer: 1, text, tokens: countTokens(text), data: { members: [chunk.id] } } },
    { op: 'put-edge', edge: { kind: 'member', source: chunk.id, target: id, weight: 1 } },
  ]
}

export function headlineOf(graph: GraphReader, passage: string): string | undefined {
  const id = idOf(chunkOf(passage))
  return graph.node(id) ? id : undefined
}
