/** The graph as plainly as it can be written: lists, filters and sorts, and BM25 from its formula. What the real ones are compared with. */
import type { GraphReader, Range, TextNode } from '../../../src/core/graph/reader'
import { SYMMETRIC } from '../../../src/core/graph/reader'
import {
  type Change,
  type Chunk,
  type ChunkVectors,
  type DocumentRecord,
  EDGE_ENDS,
  type Edge,
  type EdgeKind,
  type GraphNode,
  type Hit,
  type Patch,
  type Place,
  type Placement,
  type Stemmed,
  type Value,
  type Vector,
} from '../../../src/core/graph/types'
import { terms } from '../../../src/core/text/terms'
import { mean } from '../../../src/core/vectors'

export class NaiveGraph implements GraphReader {
  version = 0
  readonly dimensions: number
  #nodes: GraphNode[] = []
  #edges: Edge[] = []
  #places: { space: string; key: string; id: string }[] = []
  #values: { space: string; key: string; value: Value }[] = []
  #chunks: { chunk: Chunk; vectors: ChunkVectors }[] = []
  #documents: DocumentRecord[] = []

  constructor(dimensions: number) {
    this.dimensions = dimensions
  }

  apply(patch: Patch): void {
    for (const change of patch) this.#make(change)
    this.version++
  }

  count(kind: string, layer?: number): number {
    const parts = { document: this.#documents.length, chunk: this.#chunks.length, passage: 0, unit: 0 }
    for (const { chunk } of this.#chunks) {
      parts.passage += chunk.passages.length
      parts.unit += chunk.units.length
    }
    if (kind in parts) return layer ? 0 : (parts[kind as keyof typeof parts] ?? 0)
    return this.#nodes.filter((node) => node.kind === kind && (layer === undefined || node.layer === layer)).length
  }

  node = (id: string): GraphNode | undefined => this.#nodes.find((node) => node.id === id)
  chunk = (id: string): Chunk | undefined => this.#chunks.find((one) => one.chunk.id === id)?.chunk
  document = (id: string): DocumentRecord | undefined => this.#documents.find((one) => one.id === id)

  text(id: string): TextNode | undefined {
    for (const { chunk } of this.#chunks) {
      const passage = chunk.passages.findIndex((one) => one.id === id)
      const unit = chunk.units.findIndex((one) => one.id === id)
      const ordinal = Math.max(passage, unit)
      const span = chunk.passages[passage] ?? chunk.units[unit]
      if (!span) continue
      const home = chunk.passages['passage' in span ? span.passage : passage]
      const share = home ? (home.tokens * (span.end - span.start)) / (home.end - home.start) : 0
      const tokens = 'passage' in span ? Math.max(1, Math.round(share)) : span.tokens
      const kind = passage < 0 ? 'unit' : 'passage'
      return { id, kind, chunk: chunk.id, ordinal, start: span.start, end: span.end, text: chunk.text.slice(span.start, span.end), tokens }
    }
    return undefined
  }

  stemmings(): readonly (Stemmed | undefined)[] {
    return [...new Set(this.#chunks.map(({ chunk }) => chunk.language))]
  }

  placements(chunk: string): readonly Placement[] {
    const all = this.#documents.flatMap(({ id, chunks }) =>
      chunks.flatMap((one) => (one.chunk === chunk ? { document: id, start: one.start } : [])),
    )
    return all.sort((a, b) => order(a.document, b.document) || a.start - b.start)
  }

  vector(id: string): Vector | undefined {
    for (const { chunk, vectors } of this.#chunks) {
      if (chunk.id === id) return mean(vectors.passages, this.dimensions)
      const passage = chunk.passages.findIndex((one) => one.id === id)
      const unit = chunk.units.findIndex((one) => one.id === id)
      if (passage >= 0 || unit >= 0) return vectors.passages[passage] ?? vectors.units[unit]
    }
    return this.node(id)?.vector
  }

  edge(kind: EdgeKind, a: string, b: string): Edge | undefined {
    return this.#edges.find((edge) => same(edge, { kind, source: a, target: b }))
  }

  edges(kind: EdgeKind, source: string, limit = Number.POSITIVE_INFINITY): readonly Edge[] {
    if (EDGE_ENDS[kind] === 'target') throw new Error(`not from there: ${kind}`)
    return this.#star(kind, source, limit, 'source')
  }

  edgesTo(kind: EdgeKind, target: string, limit = Number.POSITIVE_INFINITY): readonly Edge[] {
    if (EDGE_ENDS[kind] === 'source') throw new Error(`not from there: ${kind}`)
    return this.#star(kind, target, limit, 'target')
  }

  degreeTo = (kind: EdgeKind, target: string): number => this.edgesTo(kind, target).length

  order(space: string, { from, to, limit, descending }: Range): readonly Place[] {
    const all = this.#places.filter(
      (one) => one.space === space && (from === undefined || one.key >= from) && (to === undefined || one.key <= to),
    )
    const sorted = all.map(({ key, id }) => ({ key, id })).sort((a, b) => order(a.key, b.key))
    return (descending ? sorted.reverse() : sorted).slice(0, limit)
  }

  value = (space: string, key: string): Value | undefined => this.#values.find((one) => one.space === space && one.key === key)?.value

  valuesOf = (space: string, keys: readonly string[]): readonly (Value | undefined)[] => keys.map((key) => this.value(space, key))

  values(space: string, from: string, limit: number): readonly { key: string; value: Value }[] {
    const all = this.#values.filter((one) => one.space === space && one.key >= from)
    return all
      .map(({ key, value }) => ({ key, value }))
      .sort((a, b) => order(a.key, b.key))
      .slice(0, limit)
  }

  match(words: readonly string[], limit: number): readonly Hit[] {
    const texts = this.#texts()
    const average = texts.reduce((sum, one) => sum + one.terms.length, 0) / texts.length
    const hits = texts.map(({ id, terms: own }): Hit => {
      let score = 0
      for (const word of new Set(words)) {
        const n = texts.filter((one) => one.terms.includes(word)).length
        const raw = Math.log((texts.length - n + 0.5) / (n + 0.5))
        const count = own.filter((term) => term === word).length
        score += ((raw > 0 ? raw : 1e-6) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * own.length) / average))
      }
      return { id, score }
    })
    return hits
      .filter((hit) => hit.score > 0)
      .sort((a, b) => b.score - a.score || order(a.id, b.id))
      .slice(0, limit)
  }

  frequency(words: readonly string[]): readonly number[] {
    return words.map((word) => this.#texts().filter((one) => one.terms.includes(word)).length)
  }

  page(kind: string, after: string, limit: number): readonly string[] {
    const ids: string[] =
      kind === 'document'
        ? this.#documents.map((one) => one.id)
        : kind === 'chunk'
          ? this.#chunks.map((one) => one.chunk.id)
          : this.#nodes.filter((one) => one.kind === kind).map((one) => one.id)
    return ids
      .sort(order)
      .filter((id) => order(id, after) > 0)
      .slice(0, limit)
  }

  #texts(): { id: string; terms: readonly string[] }[] {
    return this.#chunks.flatMap(({ chunk }) =>
      chunk.passages.map(({ id, start, end }) => ({
        id,
        terms: [...terms(chunk.title, chunk.language), ...terms(chunk.text.slice(start, end), chunk.language)],
      })),
    )
  }

  #star(kind: EdgeKind, end: string, limit: number, side: 'source' | 'target'): readonly Edge[] {
    const other = (edge: Edge): string => (edge.source === end ? edge.target : edge.source)
    const mine = this.#edges.filter(
      (edge) => edge.kind === kind && (edge[side] === end || (SYMMETRIC.has(kind) && [edge.source, edge.target].includes(end))),
    )
    return mine.sort((a, b) => b.weight - a.weight || order(other(a), other(b))).slice(0, limit)
  }

  #make(change: Change): void {
    if (change.op === 'put-node' || change.op === 'drop-node') {
      const id = change.op === 'put-node' ? change.node.id : change.id
      this.#nodes = [...this.#nodes.filter((node) => node.id !== id), ...(change.op === 'put-node' ? [change.node] : [])]
    } else if (change.op === 'put-edge' || change.op === 'drop-edge') {
      const edge = change.op === 'put-edge' ? change.edge : change
      const [source, target] = SYMMETRIC.has(edge.kind) ? [edge.source, edge.target].sort(order) : [edge.source, edge.target]
      const put = change.op === 'put-edge' ? [{ ...change.edge, source: source ?? '', target: target ?? '' }] : []
      this.#edges = [...this.#edges.filter((one) => !same(one, edge)), ...put]
    } else if (change.op === 'put-place' || change.op === 'drop-place') {
      const { space, key } = change
      this.#places = this.#places.filter((one) => one.space !== space || one.key !== key)
      if (change.op === 'put-place') this.#places.push({ space, key, id: change.id })
    } else if (change.op === 'put-value' || change.op === 'drop-value') {
      const { space, key } = change
      this.#values = this.#values.filter((one) => one.space !== space || one.key !== key)
      if (change.op === 'put-value') this.#values.push({ space, key, value: change.value })
    } else if (change.op === 'put-chunk' || change.op === 'drop-chunk') {
      const id = change.op === 'put-chunk' ? change.chunk.id : change.id
      this.#chunks = this.#chunks.filter((one) => one.chunk.id !== id)
      if (change.op === 'put-chunk') this.#chunks.push(change)
    } else {
      const id = change.op === 'put-document' ? change.document.id : change.id
      this.#documents = this.#documents.filter((one) => one.id !== id)
      if (change.op === 'put-document') this.#documents.push(change.document)
    }
  }
}

function same(a: Pick<Edge, 'kind' | 'source' | 'target'>, b: Pick<Edge, 'kind' | 'source' | 'target'>): boolean {
  if (a.kind !== b.kind) return false
  return (a.source === b.source && a.target === b.target) || (SYMMETRIC.has(a.kind) && a.source === b.target && a.target === b.source)
}

/** By code points. */
function order(a: string, b: string): number {
  const x = [...a].map((one) => one.codePointAt(0) ?? 0)
  const y = [...b].map((one) => one.codePointAt(0) ?? 0)
  const at = x.findIndex((one, i) => one !== y[i])
  return at < 0 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? -1)
}
