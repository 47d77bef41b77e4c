/** Dropped files, read and sorted before anything is sent: texts are sent together, everything else one by one; what is too large for one document is sent in parts. */
import { fileTypes, mediaTypeByName } from '../../../src/contract/file-types'
import type { Refused } from './file-state'
import { type InParts, MOST_SPLIT, tablePartsOf, textPartsOf } from './parts'
import type { Text } from './text-batches'

const ARCHIVE = 'application/zip' // an export of Slack or Notion, a folder of GraphRAG or LightRAG
const GRAPH = 'application/graphml+xml'
const EXPORT = 'application/x-ndjson'
export const IMPORTED: ReadonlySet<string> = new Set([ARCHIVE, GRAPH, EXPORT])
/** Every kind that is read; JSON lines are an export, to be imported. Source code is not offered. */
const KINDS = Object.entries(fileTypes).filter(([type]) => type !== 'code')

export const ACCEPTED = KINDS.flatMap(([, { endings }]) => endings.map((ending) => `.${ending}`))
  .concat('.zip', '.graphml')
  .join(',')

const isKnown = (name: string): boolean => ACCEPTED.split(',').includes(`.${name.split('.').at(-1)?.toLowerCase() ?? ''}`)

function typeOf({ name }: File): string | undefined {
  if (/\.zip$/i.test(name)) return ARCHIVE
  if (/\.graphml$/i.test(name)) return GRAPH
  return isKnown(name) ? mediaTypeByName(name) : undefined
}

const MIB = 1024 * 1024
const MOST_TEXT = MIB // bytes in one document
const MOST_BODY = 16 * MIB // bytes in one call
const HERE = `Files larger than ${MOST_SPLIT / MIB} MiB are read by \`loam ingest\` on your own machine and sent in parts.`

export interface Alone {
  readonly id: string
  /** Undefined: the file states its own. */
  readonly title: string | undefined
  readonly file: File
  readonly type: string
  /** The dropped file; `file` may be a part of it. */
  readonly origin: File
}

/** Files, read and sorted; nothing has been sent. */
export interface Read {
  readonly texts: readonly Text[]
  /** Files other than texts, and exports, sent unchanged. */
  readonly alone: readonly Alone[]
  readonly refused: readonly Refused[]
  /** Files whose parts are documents. */
  readonly split: readonly InParts[]
}

interface Sorted extends Read {
  readonly texts: Text[]
  readonly alone: Alone[]
  readonly refused: Refused[]
  readonly split: InParts[]
}

export async function read(files: readonly File[]): Promise<Read> {
  const sorted: Sorted = { texts: [], alone: [], refused: [], split: [] }
  const skip = new Set(files.filter((file) => file.webkitRelativePath && !typeOf(file)))
  if (skip.size > 0)
    sorted.refused.push({
      name: `${skip.size} of the folder’s files`,
      why: `are of kinds that are not supported (${endingsOf(skip)}).`,
    })
  for (const file of files.filter((one) => !skip.has(one))) {
    const type = typeOf(file)
    const why = type ? whyNot(file, type) : `This kind of file cannot be read. Supported: ${KINDS.map(([, { name }]) => name).join(', ')}.`
    if (!type || why) sorted.refused.push({ name: file.name, why })
    else if (isText(type)) await sortText(file, type, sorted)
    else if (isTable(type)) await sortTable(file, type, sorted)
    else sorted.alone.push({ ...wholeOf(file), title: SAY_THEIR_TITLE.has(type) ? undefined : titleOf(file), file, type })
  }
  return sorted
}

/** Empty: it is sent. */
function whyNot({ size }: File, type: string): string {
  if (IMPORTED.has(type)) return size > MOST_BODY ? 'For more than 16 MiB at once use `loam import`.' : ''
  if (size > MOST_SPLIT) return HERE
  if (size <= MOST_BODY || isText(type) || isTable(type)) return ''
  return 'A file of this kind may be at most 16 MiB; `loam ingest` reads a larger one on your own machine and sends it in parts.'
}

async function sortText(file: File, type: string, { texts, alone, refused, split }: Sorted): Promise<void> {
  const whole = wholeOf(file)
  const text = unicodeOf(await file.arrayBuffer())
  if (text === undefined && file.size > MOST_TEXT * 4)
    refused.push({
      name: file.name,
      why: 'It is too large to be read at once and not in UTF-8, so it cannot be split here. Save it as UTF-8.',
    })
  else if (text === undefined)
    alone.push({ ...whole, file, type }) // in another encoding, which the service detects
  else if (text.trim() === '') refused.push({ name: file.name, why: 'It contains no text.' })
  else {
    const parts = file.size > MOST_TEXT ? textPartsOf(text) : [text]
    if (parts.length > 1) split.push({ id: whole.id, parts: parts.length })
    for (const [n, part] of parts.entries()) texts.push(from(file, { ...named(whole, n + 1, parts.length), text: part }))
  }
}

async function sortTable(file: File, type: string, { alone, split }: Sorted): Promise<void> {
  const whole = wholeOf(file)
  const parts = (await tablePartsOf(file)) ?? [file]
  if (parts.length > 1) split.push({ id: whole.id, parts: parts.length })
  for (const [n, part] of parts.entries()) alone.push({ ...named(whole, n + 1, parts.length), origin: file, file: part, type })
}

const wholeOf = (file: File) => ({ id: idOf(file), title: titleOf(file), origin: file })

const isText = (type: string): boolean => type === 'text/plain' || type === 'text/markdown'
const isTable = (type: string): boolean => type === 'text/csv' || type === 'text/tab-separated-values'

/** Parts are named as `loam ingest` names them. */
const named = ({ id, title }: { readonly id: string; readonly title: string }, n: number, of: number) =>
  of === 1 ? { id, title } : { id: `${id}#part-${n}`, title: `${title}, part ${n} of ${of}` }

const SAY_THEIR_TITLE: ReadonlySet<string> = new Set(['text/html', 'message/rfc822', 'application/epub+zip', 'application/x-ipynb+json'])

/** Which file a text belongs to. */
const origins = new WeakMap<Text, File>()

function from(file: File, text: Text): Text {
  origins.set(text, file)
  return text
}

export const originOf = (text: Text): File | undefined => origins.get(text)

/** Undefined: it is not UTF-8. */
function unicodeOf(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const endingsOf = (files: ReadonlySet<File>): string =>
  [...new Set([...files].map(({ name }) => (name.includes('.') ? `.${name.split('.').at(-1)}` : name)))].slice(0, 8).join(', ')

/** A document's id is its file's name: dropping the file again replaces it. Cut to the API's limit. */
export function idOf(file: File): string {
  const name = file.webkitRelativePath || file.name
  return name.length > 80 ? name.slice(-80).replace(/^[\uDC00-\uDFFF]/, '') : name
}

const titleOf = (file: File): string => file.name.replace(/\.[^.]+$/, '')

/** What a list shows: names, and the files behind them. */
export const filesOf = ({ texts, alone }: Read): readonly { readonly name: string; readonly file: File | undefined }[] => [
  ...alone.map(({ id, origin }) => ({ name: id, file: origin })),
  ...texts.map((text) => ({ name: text.id, file: originOf(text) })),
]
