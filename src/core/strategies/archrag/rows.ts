/**
 * The index as it lies in the graph: one packed value for each entity and community, with its int8 vector, its C-HNSW links, and the nodes it is
 * like. 24 bytes a link. Read and written through a draft, each row decoded once.
 */
import type { Layers, Linked } from '../../algorithms/c-hnsw-layers'
import type { Draft } from '../../graph/draft'
import type { GraphReader, KeyedValue } from '../../graph/reader'

export interface Row extends Linked {
  /** Linked by similarity, both ways. */
  readonly near: readonly string[]
  /** Degrees its vector has turned since its links were chosen, at most 255. */
  readonly turned?: number
}

const ID = 24 // bytes: a letter, an underscore, and 22 characters of fingerprint
const HEAD = 8 // bytes: four counts, the last of which is 0 or 1 and leaves its upper byte free
const TURNED = 7 // that byte
const PAGE = 500 // rows read at a time

export function layerSpace(layer: number): string {
  return `archrag/${layer}`
}

const ENTRIES = 'archrag/entry'

export interface Rows extends Layers {
  fetch(layer: number, ids: readonly string[]): void
  read(layer: number, id: string): Row | undefined
  /** A row that is read once and not kept. */
  peek(layer: number, id: string): Row | undefined
  /** Keeps what the row is like; a new row is like nothing. */
  write(layer: number, id: string, node: Linked | undefined): void
  setNear(layer: number, id: string, near: readonly string[]): void
  /** Replaces a row's vector without moving it. */
  turn(layer: number, id: string, vector: Int8Array, turned: number): void
  ids(layer: number): readonly string[]
  /** As many of the ids, the first: they begin with a hash, so these are drawn evenly. */
  some(layer: number, limit: number): readonly string[]
  /** The ids, with every row read in the same pass: for a layer that is about to be compared. */
  load(layer: number): readonly string[]
}

/** Rows that are only read. */
export function rowsIn(graph: GraphReader): Pick<Rows, 'top' | 'read' | 'fetch' | 'entry' | 'ids'> {
  return {
    top: () => topOf(graph),
    entry: (layer) => entryOf(graph, layer),
    ids: (layer) => idsIn(graph, layer),
    ...reading(graph),
  }
}

/** Rows read through one reader, each decoded once. */
function reading(graph: GraphReader): Pick<Rows, 'read' | 'fetch'> & { known(layer: number): Map<string, Row | undefined> } {
  const layers: Map<string, Row | undefined>[] = []
  const known = (layer: number): Map<string, Row | undefined> => {
    layers[layer] ??= new Map()
    return layers[layer]
  }
  const read = (layer: number, id: string): Row | undefined => {
    const rows = known(layer)
    const before = rows.get(id)
    if (before || rows.has(id)) return before
    const row = unpacked(graph.value(layerSpace(layer), id), graph.dimensions)
    rows.set(id, row)
    return row
  }
  const fetch = (layer: number, ids: readonly string[]): void => {
    const rows = known(layer)
    const missing = ids.filter((id) => !rows.has(id))
    if (missing.length === 0) return
    const values = graph.valuesOf(layerSpace(layer), missing)
    missing.forEach((id, i) => {
      rows.set(id, unpacked(values[i], graph.dimensions))
    })
  }
  return { known, read, fetch }
}

export function rowsOf(draft: Draft): Rows {
  const { known, read, fetch } = reading(draft)
  const put = (layer: number, id: string, row: Row): void => {
    known(layer).set(id, row)
    draft.putValue(layerSpace(layer), id, packed(row))
  }
  const keep = (layer: number): ((id: string, value: unknown) => void) => {
    const rows = known(layer)
    return (id, value) => {
      if (!rows.has(id)) rows.set(id, unpacked(value, draft.dimensions))
    }
  }
  let top: number | undefined
  const listed = new Map<number, readonly string[]>() // ids of a layer, until one comes or goes
  const idsOf = (layer: number, look?: (id: string, value: unknown) => void): readonly string[] => {
    const ids = idsIn(draft, layer, look)
    listed.set(layer, ids)
    return ids
  }
  return {
    read,
    fetch,
    peek: (layer, id) => known(layer).get(id) ?? unpacked(draft.value(layerSpace(layer), id), draft.dimensions),
    top() {
      top ??= topOf(draft)
      return top
    },
    write(layer, id, node) {
      if (!node || read(layer, id) === undefined) listed.delete(layer)
      if (node) put(layer, id, { ...node, near: read(layer, id)?.near ?? [] })
      else {
        known(layer).set(id, undefined)
        draft.dropValue(layerSpace(layer), id)
      }
      if (!node || layer > (top ?? -1)) top = undefined
    },
    setNear(layer, id, near) {
      const row = read(layer, id)
      if (row) put(layer, id, { ...row, near: [...near].sort() })
    },
    turn(layer, id, vector, turned) {
      const row = read(layer, id)
      if (row) put(layer, id, { ...row, vector, turned })
    },
    entry: (layer) => entryOf(draft, layer),
    enter(layer, id) {
      if (id === undefined) draft.dropValue(ENTRIES, String(layer))
      else draft.putValue(ENTRIES, String(layer), id)
    },
    ids: (layer) => listed.get(layer) ?? idsOf(layer),
    some: (layer, limit) => draft.values(layerSpace(layer), '', limit).map(({ key }) => key),
    load: (layer) => idsOf(layer, keep(layer)),
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

function idsIn(graph: GraphReader, layer: number, look?: (id: string, value: unknown) => void): readonly string[] {
  const out: string[] = []
  for (let page = graph.values(layerSpace(layer), '', PAGE); ; ) {
    for (const { key, value } of page) {
      if (key === out[out.length - 1]) continue
      out.push(key)
      look?.(key, value)
    }
    if (page.length < PAGE) return out
    page = graph.values(layerSpace(layer), out[out.length - 1] ?? '', PAGE)
  }
}

/** Every vector of a layer, without its links. */
export function* vectorsIn(graph: GraphReader, layer: number): Generator<readonly [id: string, vector: Int8Array]> {
  const space = layerSpace(layer)
  for (const { key, value } of graph.keptValues?.(space) ?? pagesOf(graph, space)) {
    if (value instanceof Uint8Array) yield [key, vectorOf(value, graph.dimensions)]
  }
}

function* pagesOf(graph: GraphReader, space: string): Generator<KeyedValue> {
  for (let after = ''; ; ) {
    const page = graph.values(space, after, PAGE)
    for (const one of page) if (one.key !== after) yield one
    if (page.length < PAGE) return
    after = page[page.length - 1]?.key ?? ''
  }
}

function vectorOf(value: Uint8Array, dimensions: number): Int8Array {
  return new Int8Array(value.buffer, value.byteOffset + value.length - dimensions, dimensions)
}

function packed({ vector, links, ups, near, down, turned = 0 }: Row): Uint8Array {
  const ids = [...links, ...ups, ...near, ...(down === undefined ? [] : [down])]
  const bytes = new Uint8Array(HEAD + ids.length * ID + vector.length)
  const view = new DataView(bytes.buffer)
  ;[links.length, ups.length, near.length, down === undefined ? 0 : 1].forEach((count, i) => {
    view.setUint16(2 * i, count, true)
  })
  view.setUint8(TURNED, turned)
  ids.forEach((id, i) => {
    for (let at = 0; at < ID; at++) bytes[HEAD + i * ID + at] = id.charCodeAt(at)
  })
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), HEAD + ids.length * ID)
  return bytes
}

/** Values are never written into, so a row holds as long as the graph keeps its value: searches that meet it again share it. */
const decoded = new WeakMap<Uint8Array, Row>()

function unpacked(value: unknown, dimensions: number): Row | undefined {
  if (!(value instanceof Uint8Array)) return undefined
  const before = decoded.get(value)
  if (before) return before
  const row = rowIn(value, dimensions)
  decoded.set(value, row)
  return row
}

/** Assumed to be what `packed` made. Most rows are read for their vector alone, so lists are decoded only when used. */
function rowIn(value: Uint8Array, dimensions: number): Row {
  const count = (place: number): number => (value[2 * place] as number) + 256 * (value[2 * place + 1] as number)
  const [links, ups, near, down, turned] = [count(0), count(1), count(2), value[TURNED - 1] as number, value[TURNED] as number]
  const end = HEAD + (links + ups + near + down) * ID
  const lists: (readonly string[] | undefined)[] = []
  const list = (place: number, from: number, count: number): readonly string[] => {
    lists[place] ??= idsAt(value, HEAD + from * ID, count)
    return lists[place]
  }
  const lowest = down === 0 ? undefined : idsAt(value, end - ID, 1)[0]
  return {
    vector: new Int8Array(value.buffer, value.byteOffset + end, dimensions),
    get links() {
      return list(0, 0, links)
    },
    get ups() {
      return list(1, links, ups)
    },
    get near() {
      return list(2, links + ups, near)
    },
    ...(lowest === undefined ? {} : { down: lowest }),
    ...(turned === 0 ? {} : { turned }),
  }
}

/** Cutting one string into pieces is several times as fast as making a string for each. */
function idsAt(value: Uint8Array, at: number, count: number): readonly string[] {
  if (count === 0) return []
  const bytes = value.subarray(at, at + count * ID)
  const all = String.fromCharCode.apply(null, bytes as unknown as number[])
  return Array.from({ length: count }, (_, i) => all.slice(i * ID, (i + 1) * ID))
}
