/** A file of `loam export` as the corpus it came from: how it was made, its labels, and its documents as they were put. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { NewCorpus, NewLabel } from '../../src/client/client'
import { joinChunks, type Placed } from '../../src/reading/chunks'
import type { SourceDocument } from '../documents'
import { Failure } from '../failure'

export type ExportedLabel = NewLabel & { readonly label: string }

interface DocumentRow extends Omit<SourceDocument, 'text'> {
  readonly type: 'document'
  readonly text?: unknown
  readonly chunks?: readonly Placed[]
}

/** The lines that are read; there are others. */
type Row =
  | (NewCorpus & { readonly type: 'corpus' })
  | (ExportedLabel & { readonly type: 'label' })
  | DocumentRow
  | { readonly type: 'chunk'; readonly id: string; readonly text: string }
  | { readonly type: 'end' }

interface Lines {
  about: NewCorpus
  readonly labels: ExportedLabel[]
  readonly documents: DocumentRow[]
  readonly chunks: Map<string, string>
  isEnded: boolean
}

export interface Exported {
  readonly config: NewCorpus
  readonly labels: readonly ExportedLabel[]
  documents(): Generator<SourceDocument>
}

const OWN: ReadonlySet<unknown> = new Set(['corpus', 'label', 'document', 'chunk', 'end'])

/** Does its first line say that it is an export? Others are a user's own JSON lines. */
export async function isExport(path: string): Promise<boolean> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    if (line.trim() === '') continue
    lines.close()
    return OWN.has(parse(line, `${path}, line 1`).type)
  }
  return true
}

export async function readExport(path: string): Promise<Exported> {
  const { about, labels, documents, chunks, isEnded } = await readLines(path)
  if (documents.length + labels.length === 0)
    throw new Failure(`${path}: no line is a document or a label; \`loam ingest\` takes other JSON lines`)
  if (!isEnded && documents.some(({ text }) => typeof text !== 'string'))
    throw new Failure(`${path}: the end is missing: the export was interrupted`)
  const { strategies, settings, default_access } = about
  return {
    config: { ...(strategies ? { strategies } : {}), ...(settings ? { settings } : {}), ...(default_access ? { default_access } : {}) },
    labels: labels.map(({ label, description, examples }) => ({ label, description, examples })),
    *documents() {
      for (const document of documents) yield toDocument(document, chunks, path)
    },
  }
}

async function readLines(path: string): Promise<Lines> {
  const found: Lines = { about: {}, labels: [], documents: [], chunks: new Map(), isEnded: false }
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (line.trim() === '') continue
    const row = parse(line, `${path}, line ${number}`)
    if (row.type === 'corpus') found.about = row
    else if (row.type === 'label') found.labels.push(row)
    else if (row.type === 'document') found.documents.push(row)
    else if (row.type === 'chunk') found.chunks.set(row.id, row.text)
    else if (row.type === 'end') found.isEnded = true
  }
  return found
}

/** What its lines hold is checked by the service. */
function parse(line: string, where: string): Row | { readonly type?: undefined } {
  try {
    return (JSON.parse(line) ?? {}) as Row
  } catch {
    throw new Failure(`${where}: is not JSON`)
  }
}

function toDocument(row: DocumentRow, texts: ReadonlyMap<string, string>, path: string): SourceDocument {
  const { id, text: own, chunks = [], type: _, ...rest } = row
  const text = typeof own === 'string' ? own : joinChunks(chunks, texts)
  if (typeof text !== 'string') throw new Failure(`${path}: document ${id} has no text, and not all of its chunks are here`)
  const { title, url, metadata, access, active, outline, graph, published_at, valid_from, valid_until } = rest
  const kept = { title, url, metadata, access, active, outline, graph, published_at, valid_from, valid_until }
  const named = Object.fromEntries(Object.entries(kept).filter(([, value]) => value || value === false))
  return { ...named, id, text }
}
