/**
 * The index as it lies in the graph: one packed value for each entity and community, with its int8 vector, its C-HNSW links, and the
 * nodes it is like. 24 bytes a link. Read and written through a draft, each row decoded once.
 */
import type { Layers, Linked } from '../../algorithms/c-hnsw'
import type { Draft } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'

export interface Row extends Linked {
  /** Linked by similarity, both ways. */
  readonly near: readonly string[]
}

const ID = 24 // bytes: a letter, a line, and 22 characters of fingerprint
const HEAD = 8 // bytes: four counts
const PAGE = 500 // rows read at a time

export function layerSpace(layer: number): string {
  return `archrag/${layer}`
}

const ENTRIES = 'archrag/entry'

export interface Rows extends Layers {
  read(layer: number, id: string): Row | undefined
  /** Keeps what the row is like; a new row is like nothing. */
  write(layer: number, id: string, node: Linked | undefined): void
  liken(layer: number, id: string, near: readonly string[]): void
  ids(layer: number): readonly string[]
}

/** Rows that are read only. */
export function rowsIn(graph: GraphReader): Pick<Rows, 'top' | 'read' | 'entry' | 'ids'> {
  const known = new Map<string, Row | undefined>()
  return {
    top: () => topOf(graph),
    entry: (layer) => entryOf(graph, layer),
    ids: (layer) => idsIn(graph, layer),
    read(layer, id) {
      const key = `${layer} ${id}`
      if (!known.has(key)) known.set(key, unpacked(graph.value(layerSpace(layer), id), graph.dimensions))
      return known.get(key)
    },
  }
}

export function rowsOf(draft: Draft): Rows {
  const known = new Map<string, Row | undefined>()
  const read = (layer: number, id: string): Row | undefined => {
    const key = `${layer} ${id}`
    if (!known.has(key)) known.set(key, unpacked(draft.value(layerSpace(layer), id), draft.dimensions))
    return known.get(key)
  }
  const put = (layer: number, id: string, row: Row): void => {
    known.set(`${layer} ${id}`, row)
    draft.putValue(layerSpace(layer), id, packed(row))
  }
  let top: number | undefined
  return {
    read,
    top() {
      top ??= topOf(draft)
      return top
    },
    write(layer, id, node) {
      if (node) put(layer, id, { ...node, near: read(layer, id)?.near ?? [] })
      else {
        known.set(`${layer} ${id}`, undefined)
        draft.dropValue(layerSpace(layer), id)
      }
      if (!node || layer > (top ?? -1)) top = undefined
    },
    liken(layer, id, near) {
      const row = read(layer, id)
      if (row) put(layer, id, { ...row, near: [...near].sort() })
    },
    entry: (layer) => entryOf(draft, layer),
    enter(layer, id) {
      if (id === undefined) draft.dropValue(ENTRIES, String(layer))
      else draft.putValue(ENTRIES, String(layer), id)
    },
    ids: (layer) => idsIn(draft, layer),
  }
}

function topOf(graph: GraphReader): number {
  let top = 0
  while (graph.values(layerSpace(top + 1), '', 1).length > 0) top++
  return top
}

function entryOf(graph: GraphReader, layer: number): string | undefined {
  const id = graph.value(ENTRIES, String(layer))
  return typeof id === 'string' ? id : undefined
}

function idsIn(graph: GraphReader, layer: number): readonly string[] {
  const out: string[] = []
  for (let page = graph.values(layerSpace(layer), '', PAGE); ; ) {
    for (const { key } of page) if (key !== out[out.length - 1]) out.push(key)
    if (page.length < PAGE) return out
    page = graph.values(layerSpace(layer), out[out.length - 1] ?? '', PAGE)
  }
}

/** Every vector of a layer, without its links. */
export function* vectorsIn(graph: GraphReader, layer: number): Generator<readonly [id: string, vector: Int8Array]> {
  for (let after = ''; ; ) {
    const page = graph.values(layerSpace(layer), after, PAGE)
    for (const { key, value } of page) {
      if (key === after || !(value instanceof Uint8Array)) continue
      yield [key, new Int8Array(value.buffer, value.byteOffset + value.length - graph.dimensions, graph.dimensions)]
    }
    if (page.length < PAGE) return
    after = page[page.length - 1]?.key ?? ''
  }
}

function packed({ vector, links, ups, near, down }: Row): Uint8Array {
  const ids = [...links, ...ups, ...near, ...(down === undefined ? [] : [down])]
  const bytes = new Uint8Array(HEAD + ids.length * ID + vector.length)
  const view = new DataView(bytes.buffer)
  ;[links.length, ups.length, near.length, down === undefined ? 0 : 1].forEach((count, i) => {
    view.setUint16(2 * i, count, true)
  })
  ids.forEach((id, i) => {
    for (let at = 0; at < ID; at++) bytes[HEAD + i * ID + at] = id.charCodeAt(at)
  })
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), HEAD + ids.length * ID)
  return bytes
}

/** Believed to be what `packed` made. */
function unpacked(value: unknown, dimensions: number): Row | undefined {
  if (!(value instanceof Uint8Array)) return undefined
  const view = new DataView(value.buffer, value.byteOffset, value.length)
  let at = HEAD
  const list = (place: number): string[] =>
    Array.from({ length: view.getUint16(2 * place, true) }, () => {
      at += ID
      return String.fromCharCode(...value.subarray(at - ID, at))
    })
  const [links, ups, near] = [list(0), list(1), list(2)]
  const [down] = list(3)
  const vector = new Int8Array(value.slice(at, at + dimensions).buffer)
  return { vector, links, ups, near, ...(down === undefined ? {} : { down }) }
}
