/** GORAG's labels, transferred to a graph of another embedding model: with vectors from that model, or without. */
import type { Change, GraphNode, Patch, Vector } from '../../../src/core/graph/types'
import { readVector, SPACE } from '../../../src/core/strategies/gorag/rows'
import { quantize } from '../../../src/core/vectors'
import type { SqliteGraph } from '../../graph/sqlite-graph'

const PAGE = 500 // labelled texts read at a time

/**
 * `own`: the target graph, which has the texts' vectors by now; `patch`: labels, and everything attached to them, from the graph they come
 * from.
 */
export function movedLabels(own: SqliteGraph, patch: Patch): Patch {
  return patch.flatMap((change): Change[] => {
    if (change.op === 'put-value' && change.space === SPACE.vector) return []
    if (change.op !== 'put-node') return [change]
    const { vector: _, sum: __, ...node } = change.node
    if (node.kind === 'label') return [{ op: 'put-node', node: withMean(node, vectorsOf(own, node.id)) }]
    return own.node(node.id) ? [] : [{ op: 'put-node', node }] // it may also belong to another builder: this graph's version stays
  })
}

/** A label's vector is the mean of its texts'. */
function withMean(node: GraphNode, vectors: readonly Vector[]): GraphNode {
  const [first] = vectors
  if (!first) return node
  const sum = new Int32Array(first.length)
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0)
  return { ...node, vector: quantize(sum), sum }
}

/** Vectors of a label's texts. Their keys begin with its id. */
function vectorsOf(own: SqliteGraph, label: string): Vector[] {
  const vectors: Vector[] = []
  for (let after = `${label}.`; ; ) {
    const rows = own.values(SPACE.vector, after, PAGE)
    const of = rows.filter(({ key }) => key.startsWith(`${label}.`))
    vectors.push(...of.map((row) => readVector(row.value)))
    const last = rows.at(-1)
    if (last === undefined || of.length < rows.length) return vectors
    after = `${last.key}\0`
  }
}

/** Vectors of labelled texts that no longer exist. */
export function orphanedVectors(own: SqliteGraph, served: SqliteGraph): Patch {
  const gone: Change[] = []
  for (let after = ''; ; ) {
    const keys = own.values(SPACE.vector, after, PAGE).map((row) => row.key)
    const last = keys.at(-1)
    if (last === undefined) return gone
    const texts = served.valuesOf(SPACE.text, keys)
    gone.push(...keys.flatMap((key, i): Change[] => (texts[i] === undefined ? [{ op: 'drop-value', space: SPACE.vector, key }] : [])))
    after = `${last}\0`
  }
}
