/**
 * An export in parts. A Worker's invocation may make only a limited number of calls to D1, so one request carries a limited number of
 * pages and ends with a mark that says where to continue; most corpora need one request. The parts joined together are the export:
 * nothing has to be removed.
 */
import type { Asker } from '../core/access/labels'
import type { Chunk } from '../core/graph/types'
import { partitionsOf, partitionUids } from '../corpus-uid'
import { isOmitted } from '../omitted-data'
import { d1Limits } from '../platform-limits'
import type { CorpusRecord } from '../ports/catalogue'
import type { ExportedRow } from '../ports/export'
import type { Listings } from '../ports/listings'
import type { CorpusObject } from '../ports/object'
import type { RowTable, StoredRow } from '../ports/read-model'
import type { Seeable, Seen } from '../ports/visibility'
import { joinedRows, type RowsPage } from './joined-rows'
import { hasOffer } from './offers'

export const limits = {
  calls: d1Limits.safeCallsPerInvocation - 10, // for one part; authentication makes a few more
  bytes: 4 * 1024 * 1024, // of one page: it is in memory several times, as JSON, as rows and as lines
  firstRows: 500, // of a section's first page; then as many as make a page of that size
  maxRows: 20_000, // of a page
} as const
const LABELS = 50 // of a page
const RECEIPTS = 1000 // of a page
/**
 * Only the object knows labels with the texts of their examples; they come first, because they are few. Receipts come last, so that a
 * corpus that changed meanwhile shows it.
 */
const SECTIONS = ['label', 'document', 'chunk', 'node', 'edge', 'receipt'] as const
type Section = (typeof SECTIONS)[number]

/** How a format writes rows. Everything it returns is a piece of the export. */
export interface Writer {
  head(): string
  row(row: ExportedRow): string
  /** What the writer of the next part needs to know. */
  carried(): object
  next(cursor: string): string
  end(): string
}

/** Where a part begins. */
export interface Mark {
  readonly uid: string
  readonly version: number
  readonly section: Section
  readonly after: string
  readonly carried: object
}

export interface Source {
  readonly record: CorpusRecord
  readonly object: Pick<CorpusObject, 'labels' | 'receipts' | 'seen'>
  /** The object that has the rows under a uid: the corpus's own, or that of a partition. */
  readonly objectAt: (uid: string) => Pick<CorpusObject, 'dataOf' | 'seen'>
  /** For whom. */
  readonly asker: Asker
  readonly listings: Pick<Listings, 'page'>
  /** Of a corpus in partitions, as one graph: what is in several of them is one row. */
  readonly isJoined?: boolean
}

const isJoined = ({ isJoined: is = false, record }: Source): boolean => is && partitionsOf(record.uid) > 1

/** Undefined: not of an export of this corpus. */
export function readMark(text: string, uid: string): Mark | undefined {
  try {
    const mark = JSON.parse(text) as Mark
    return mark.uid === uid && SECTIONS.includes(mark.section) ? mark : undefined
  } catch {
    return undefined
  }
}

export interface Part {
  readonly writer: Writer
  readonly version: number
  readonly from: Mark | undefined
  /** A mark as a cursor. */
  readonly encode: (mark: string) => string
}

export async function* partOf(
  source: Source,
  { writer, version, from, encode }: Part,
  bounds: { readonly [bound in keyof typeof limits]: number } = limits,
): AsyncGenerator<string, void, void> {
  let calls = 0
  const callsOf = (section: Section): number => (isJoined(source) && section !== 'document' ? partitionsOf(source.record.uid) : 1)
  let after = from?.after ?? ''
  if (!from) yield writer.head()
  for (const section of SECTIONS.slice(from ? SECTIONS.indexOf(from.section) : 0)) {
    let place = after // what a mark names: a row that was shown
    for (let rows = bounds.firstRows; ; ) {
      // A part that shows nothing would end where it began, so it continues.
      calls += callsOf(section)
      if (calls > bounds.calls && (section !== from?.section || place !== from.after)) {
        const mark: Mark = { uid: source.record.uid, version, section, after: place, carried: writer.carried() }
        return yield writer.next(encode(JSON.stringify(mark)))
      }
      const page = await pageOf(source, section, { after, rows, bytes: bounds.bytes })
      for (const row of page.rows) yield writer.row(row)
      after = page.next ?? ''
      place = page.shown === undefined ? after : page.shown || place
      if (page.next === null) break
      const fitting = Math.floor((bounds.bytes * page.rows.length) / Math.max(1, page.bytes))
      rows = Math.min(bounds.maxRows, Math.max(bounds.firstRows, fitting))
    }
  }
  yield writer.end()
}

async function pageOf(source: Source, section: Section, from: Parameters<Listings['page']>[2]): Promise<RowsPage> {
  switch (section) {
    case 'label':
      return hasOffer(source.record.strategies, 'labels') ? labelsOf(source, from.after) : { rows: [], bytes: 0, next: null }
    case 'receipt':
      return receiptsOf(source, from.after)
    case 'document':
      return storedOf(source, section, from)
    default:
      return isJoined(source)
        ? joinedRows(partitionsOf(source.record.uid), from, (at) => storedOf(source, section, at))
        : storedOf(source, section, from)
  }
}

async function storedOf(
  { listings, record, objectAt, asker }: Source,
  table: RowTable,
  from: Parameters<Listings['page']>[2],
): Promise<RowsPage> {
  const { corpus, after, before, partition } = storeAt(record, from.after)
  const object = objectAt(corpus.uid)
  const page = await listings.page(corpus, table, { ...from, after })
  const found = { ...page, next: page.next === null ? before.next : `${before.here}${page.next}` }
  const seen = await object.seen({ ...namesOf(found.rows), withOutlines: table === 'document' }, asker)
  const own = new Map(rowsOf(seen).map((stored) => [keyOf(stored), stored]))
  const shown = seen.all
    ? found.rows
    : found.rows.flatMap((stored) => (isText(stored) ? (own.has(keyOf(stored)) ? stored : []) : (own.get(keyOf(stored)) ?? [])))
  const rows: ExportedRow[] = []
  for (const stored of shown) {
    const row = await completeRow(stored, { object, seen })
    rows.push(isText(stored) ? row : { ...row, ...partition })
  }
  const last = keyOf(shown.at(-1))
  return { ...found, rows, ...(seen.all ? {} : { shown: last && `${before.here}${last}` }) }
}

/** The partition whose rows come at a place, which in a corpus in partitions begins with a partition's number: `3:heron`. */
function storeAt(record: CorpusRecord, place: string) {
  const uids = partitionUids(record.uid)
  if (uids.length === 0) return { corpus: record, after: place, before: { here: '', next: null }, partition: {} }
  const [, digits = '0', after = ''] = /^(\d+):(.*)$/s.exec(place) ?? []
  const part = Math.min(Number(digits), uids.length - 1)
  const next = part + 1 < uids.length ? `${part + 1}:` : null
  return { corpus: { ...record, uid: uids[part] ?? record.uid }, after, before: { here: `${part}:`, next }, partition: { partition: part } }
}

function namesOf(rows: readonly StoredRow[]): Seeable {
  const ids = (table: RowTable): string[] => rows.flatMap((one) => (one.table === table && one.table !== 'edge' ? [one.row.id] : []))
  const edges = rows.flatMap((one) => (one.table === 'edge' ? [one.row] : []))
  return {
    documents: ids('document'),
    chunks: ids('chunk'),
    nodes: ids('node'),
    edges: edges.map(({ kind, source, target }) => ({ kind, source, target })),
    withInactive: true,
  }
}

/** What the asker may see of a page; for texts only the ids, since texts are not changed. */
function rowsOf({ documents, chunks, nodes, edges }: Seen): readonly StoredRow[] {
  const texts = [...Object.keys(documents), ...chunks].map((id) => ({ table: 'chunk' as const, row: { id } as Chunk }))
  return [...texts, ...nodes.map((row) => ({ table: 'node' as const, row })), ...edges.map((row) => ({ table: 'edge' as const, row }))]
}

const isText = ({ table }: StoredRow): boolean => table === 'document' || table === 'chunk'

function keyOf(stored: StoredRow | undefined): string {
  if (!stored) return ''
  return stored.table === 'edge' ? JSON.stringify([stored.row.source, stored.row.kind, stored.row.target]) : stored.row.id
}

/** With the data that did not fit into its row. */
async function completeRow(
  stored: StoredRow,
  { object, seen }: { object: Pick<CorpusObject, 'dataOf'>; seen: Seen },
): Promise<ExportedRow> {
  if (stored.table === 'node' && isOmitted(stored.row.data)) {
    const data = await object.dataOf(stored.row.id)
    return { type: 'node', ...stored.row, ...(data === undefined ? {} : { data }) } as ExportedRow
  }
  if (stored.table === 'edge' && isOmitted(stored.row.data)) {
    const data = await object.dataOf(stored.row)
    return { type: 'edge', ...stored.row, ...(data === undefined ? {} : { data }) }
  }
  if (stored.table !== 'document') return { type: stored.table, ...stored.row } as ExportedRow
  const { id } = stored.row
  const access = seen.documents[id] ?? []
  const outline = seen.outlines?.[id]
  const language = seen.languages?.[id]
  const graph = seen.graphs?.[id]
  const marks = {
    ...(graph ? { graph } : {}),
    ...(outline ? { outline } : {}),
    ...(language ? { language } : {}),
    ...seen.dates[id],
    ...(access.length > 0 ? { access } : {}),
    ...(seen.inactive.includes(id) ? { active: false as const } : {}),
  }
  return { type: 'document', ...stored.row, ...marks } as unknown as ExportedRow
}

async function labelsOf({ object }: Source, after: string): Promise<RowsPage> {
  const { data, next_cursor: next } = await object.labels(after || null, LABELS)
  const rows = data.map(({ label, description, examples }) => ({
    type: 'label' as const,
    label,
    description,
    examples: examples.map(({ text }) => text),
  }))
  return { rows, bytes: 0, next }
}

/** They add up to the whole corpus; they prove nothing about a part. */
async function receiptsOf({ object, asker }: Source, after: string): Promise<RowsPage> {
  if (!(await object.seen({ withInactive: true }, asker)).all) return { rows: [], bytes: 0, next: null }
  const { data, next_cursor: next } = await object.receipts(after || null, RECEIPTS)
  return { rows: data.map((one) => ({ type: 'receipt' as const, ...one })), bytes: 0, next }
}
