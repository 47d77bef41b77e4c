/** Small random worlds for the graph's tests: documents in several scripts, derived nodes, edges, places and values. Seeded. */
import type { Change, Chunk, ChunkVectors, DocumentRecord, EdgeKind, GraphNode, Patch, Vector } from '../../../src/core/graph/types'
import { EDGE_ENDS } from '../../../src/core/graph/types'
import { nodeId, passageId, unitId } from '../../../src/core/ids'
import type { Random } from '../../../src/core/random'

export const DIMENSIONS = 8

export const words = 'river stone cities walked naïve 北京大学 Москва مدينة हिन्दी don’t U.S. 42 émigré 😀 running of the'.split(' ')
export const documentIds = ['a', 'b/ü', 'z\uff5e', 'z😀', 'a b']
export const edgeKinds = Object.keys(EDGE_ENDS) as EdgeKind[]
export const spaces = ['segments', 'rank', 'segments/2']
export const keys = ['', '0', '00', '01', '1', 'a', 'a~', 'b']
export const nodes: readonly GraphNode[] = (['entity', 'keyword', 'label', 'summary', 'community'] as const).flatMap((kind) =>
  [0, 1, 2].map((n) => ({ id: nodeId(kind, n), kind, layer: 0, text: '', tokens: 0, data: {} })),
)

export function vectorFrom(random: Random): Vector {
  return Int8Array.from({ length: DIMENSIONS }, () => random.below(255) - 127)
}

/** A chunk of one to four passages of one to three sentences. Its id names its content, as everywhere. */
export function chunkFrom(random: Random): { chunk: Chunk; vectors: ChunkVectors } {
  const pick = (): string => words[random.below(words.length)] ?? ''
  const title = pick()
  const passages: { start: number; end: number; tokens: number }[] = []
  const units: { start: number; end: number; passage: number }[] = []
  let text = ''
  for (let p = 0, count = 1 + random.below(4); p < count; p++) {
    const start = text.length
    for (let u = 0, sentences = 1 + random.below(3); u < sentences; u++) {
      const sentence = `${Array.from({ length: 1 + random.below(6) }, pick).join(' ')}. `
      units.push({ start: text.length, end: text.length + sentence.length, passage: p })
      text += sentence
    }
    passages.push({ start, end: text.length, tokens: 1 + random.below(150) })
  }
  const id = nodeId('chunk', title, text, JSON.stringify(passages))
  const chunk: Chunk = {
    id,
    title,
    name: title,
    text,
    tokens: text.length,
    own: 0,
    passages: passages.map((one, i) => ({ id: passageId(id, i), ...one })),
    units: units.map((one, i) => ({ id: unitId(id, i), ...one })),
  }
  const embedded = random.below(3) > 0
  return {
    chunk,
    vectors: { passages: passages.map(() => vectorFrom(random)), units: embedded ? units.map(() => vectorFrom(random)) : [] },
  }
}

export function documentFrom(random: Random, id: string, chunks: readonly Chunk[]): DocumentRecord {
  const placed = chunks.map((chunk, i) => ({ chunk: chunk.id, start: i * 100 + random.below(3) }))
  return {
    id,
    title: `Über ${id}`,
    name: id,
    url: random.below(2) ? null : 'https://x.test/ü',
    metadata: { b: 1, a: ['ü', null] },
    chunks: placed,
  }
}

/** One change of any kind; `chunks` are those it may put, drop or place. */
export function changeFrom(random: Random, chunks: readonly { chunk: Chunk; vectors: ChunkVectors }[]): Change {
  const any = <T>(items: readonly T[]): T => items[random.below(items.length)] as T
  const end = (): string => (random.below(5) === 0 ? any(documentIds) : any(nodes).id)
  const edge = { kind: any(edgeKinds), source: end(), target: end() }
  const shelf = { space: any(spaces), key: any(keys) }
  const makers: readonly (() => Change)[] = [
    () => ({ op: 'put-node', node: nodeFrom(random, any(nodes)) }),
    () => ({ op: 'drop-node', id: any(nodes).id }),
    () => ({
      op: 'put-edge',
      edge: { ...edge, weight: any([0, 1, 2, 3, -1, 0.1, 1 / 3, 2.5e-7]), ...any([{}, { data: ['ü', 1.5] }, { data: 7 }]) },
    }),
    () => ({ op: 'drop-edge', ...edge }),
    () => ({ op: 'put-place', ...shelf, id: any(nodes).id }),
    () => ({ op: 'drop-place', ...shelf }),
    () => ({
      op: 'put-value',
      ...shelf,
      value: any([1, 'ü', null, [1.5, { b: 2, a: 1 }], new Uint8Array([0, 255, 7]), new Uint8Array(0), false]),
    }),
    () => ({ op: 'drop-value', ...shelf }),
    () => ({ op: 'put-chunk', ...any(chunks) }),
    () => ({ op: 'drop-chunk', id: any(chunks).chunk.id }),
    () => ({ op: 'put-document', document: documentFrom(random, any(documentIds), [any(chunks).chunk, any(chunks).chunk]) }),
    () => ({ op: 'drop-document', id: any(documentIds) }),
  ]
  return any([...makers, ...makers.filter((_, i) => i % 2 === 0)])()
}

/** A node with content of its own; `data` in an order of keys that varies. */
export function nodeFrom(random: Random, { id, kind }: Pick<GraphNode, 'id' | 'kind'>): GraphNode {
  return {
    id,
    kind,
    layer: random.below(3),
    text: words[random.below(words.length)] ?? '',
    tokens: random.below(9),
    data: random.below(2) ? { x: 1, y: [0.1, 'ü'] } : { y: [0.1, 'ü'], x: 1 },
    ...(random.below(2) ? { vector: vectorFrom(random) } : {}),
    ...(random.below(2) ? { sum: Int32Array.from({ length: DIMENSIONS }, () => random.below(2 ** 31) - 2 ** 30) } : {}),
    ...(random.below(2) ? { stale: true } : {}),
  }
}

export function patchFrom(random: Random, chunks: readonly { chunk: Chunk; vectors: ChunkVectors }[], length: number): Patch {
  return Array.from({ length }, () => changeFrom(random, chunks))
}
