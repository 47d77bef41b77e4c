/**
 * Does the read model hold what the object holds? First the object's own rows are read there, then the read model's keys are looked up here:
 * the two need not agree on an order.
 */
import { memberEdges } from '../../../src/core/graph/members'
import { chunkRow, documentRow, edgeRow, nodeRow } from '../../../src/core/graph/state'
import type { Edge } from '../../../src/core/graph/types'
import { isOmitted } from '../../../src/omitted-data'
import type { ReadModel, RowTable, StoredRow } from '../../../src/ports/read-model'
import type { CorpusContext } from '../store'
import type { OutboxEntry } from '../tables/outbox'
import { nextPlace, type PageComparison, placeIn, type Reconciler } from './reconciler'

const ROWS = 100 // in one check; for chunks about 1.2 MB
const KEYS = 500
const OWN_SPACES = ['document', 'chunk', 'entity', 'keyword', 'label', 'summary', 'community'] as const
const STORED_SPACES = ['rows/document', 'rows/chunk', 'rows/node', 'rows/edge'] as const
const SPACES = [...OWN_SPACES, ...STORED_SPACES] as const

type OwnSpace = (typeof OWN_SPACES)[number]

export function modelReconciler(model: Pick<ReadModel, 'keys' | 'rows'>): Reconciler {
  return {
    sink: 'model',
    compare(context, after, isOnItsWay) {
      const { space, after: last } = placeIn<(typeof SPACES)[number]>(SPACES, after)
      return isOwnSpace(space)
        ? compareOwnRows(context, model, space, last, isOnItsWay)
        : compareStoredKeys(context, model, tableOf(space), last, isOnItsWay)
    },
  }
}

const isOwnSpace = (space: (typeof SPACES)[number]): space is OwnSpace => (OWN_SPACES as readonly string[]).includes(space)
const tableOf = (space: (typeof STORED_SPACES)[number]): RowTable => space.slice('rows/'.length) as RowTable

/** One row as it should be, by the key it has there. */
interface Expected {
  readonly key: string
  readonly entry: OutboxEntry
  readonly line: string
}

async function compareOwnRows(
  context: CorpusContext,
  model: Pick<ReadModel, 'rows'>,
  space: OwnSpace,
  after: string,
  isOnItsWay: (entry: OutboxEntry) => boolean,
): Promise<PageComparison> {
  const page = context.graph.page(space, after, ROWS)
  const table = space === 'document' || space === 'chunk' ? space : 'node'
  const rows = page.flatMap((id) => rowOf(context, space, id))
  const edges = page.flatMap((id) => edgesOf(context, space, id))
  const missing: OutboxEntry[] = []
  for (const [name, all] of [[table, rows] as const, ['edge', edges] as const]) {
    const expected = all.filter((one) => !isOnItsWay(one.entry))
    if (expected.length === 0) continue
    const keys = expected.map((one) => one.key)
    const stored = await model.rows(context.config, name, keys)
    const there = new Set(stored.map(lineOf))
    const withoutData = new Set(stored.flatMap(keyWithoutData)) // they cannot be compared, and would be written identically again
    missing.push(...expected.filter((one) => !there.has(one.line) && !withoutData.has(one.key)).map((one) => one.entry))
  }
  return { next: nextPlace(SPACES, space, page.at(-1)), missing, foreign: [] }
}

async function compareStoredKeys(
  context: CorpusContext,
  model: Pick<ReadModel, 'keys'>,
  table: RowTable,
  after: string,
  isOnItsWay: (entry: OutboxEntry) => boolean,
): Promise<PageComparison> {
  const keys = await model.keys(context.config, table, after, KEYS)
  const foreign = keys.map((key) => entryOf(table, key)).filter((entry) => !isHere(context, entry) && !isOnItsWay(entry))
  return { next: nextPlace(SPACES, `rows/${table}`, keys.at(-1)), missing: [], foreign }
}

function rowOf({ graph }: CorpusContext, space: OwnSpace, id: string): Expected[] {
  if (space === 'document') {
    const document = graph.document(id)
    return document ? [{ key: id, entry: ['d', id], line: documentRow(document) }] : []
  }
  if (space === 'chunk') {
    const chunk = graph.chunk(id)
    return chunk ? [{ key: id, entry: ['c', id, chunk.passages.length], line: chunkRow(chunk) }] : []
  }
  const node = graph.node(id)
  return node ? [{ key: id, entry: ['n', id], line: nodeRow(node) }] : []
}

/** Each edge with one of its ends: those of members with what they are members of, the others with their source. */
function edgesOf({ graph }: CorpusContext, space: OwnSpace, id: string): Expected[] {
  if (space === 'chunk') return []
  const kinds: { readonly [own in OwnSpace]?: Edge['kind'] } = { document: 'links', entity: 'relates', keyword: 'indicates' }
  const kind = kinds[space]
  const edges = kind ? graph.edges(kind, id).filter((edge) => edge.source === id) : memberEdges(graph, id)
  return edges.map((edge) => ({
    key: JSON.stringify([edge.source, edge.kind, edge.target]),
    entry: ['e', edge.kind as 'relates', edge.source, edge.target],
    line: edgeRow(edge),
  }))
}

function lineOf(stored: StoredRow): string {
  switch (stored.table) {
    case 'document':
      return documentRow(stored.row)
    case 'chunk':
      return chunkRow(stored.row)
    case 'node':
      return nodeRow(stored.row)
    case 'edge':
      return edgeRow(stored.row)
  }
}

function keyWithoutData(stored: StoredRow): string[] {
  if (stored.table === 'node') return isOmitted(stored.row.data) ? [stored.row.id] : []
  if (stored.table !== 'edge' || !isOmitted(stored.row.data)) return []
  const { source, kind, target } = stored.row
  return [JSON.stringify([source, kind, target])]
}

function entryOf(table: RowTable, key: string): OutboxEntry {
  if (table === 'document') return ['d', key]
  if (table === 'chunk') return ['c', key, 0]
  if (table === 'node') return ['n', key]
  const [source = '', kind, target = ''] = JSON.parse(key) as readonly string[]
  return ['e', kind as 'relates', source, target]
}

function isHere({ graph }: CorpusContext, entry: OutboxEntry): boolean {
  switch (entry[0]) {
    case 'd':
      return graph.document(entry[1]) !== undefined
    case 'c':
    case 'm':
    case 'u':
      return graph.chunk(entry[1]) !== undefined
    case 'n':
    case 's':
    case 'v':
      return graph.node(entry[1]) !== undefined
    case 'e':
      return graph.edge(entry[1], entry[2], entry[3]) !== undefined
  }
}
