/** Files become documents: texts of one drop together as a batch (one version, one receipt), pages and PDFs one by one, as they are. */

import type { Imported, ImportedAs } from '../../../src/client/client'
import { fileTypes, mediaTypeByName } from '../../../src/contract/file-types'
import { follow } from '../jobs/followed'
import { adviceOn, messageOf } from '../shared/advice'
import { corpusAt } from '../shared/loam'
import type { FileState, Phase, Refused } from './file-state'
import { batches, type Text } from './text-batches'

const ARCHIVE = 'application/zip' // an export of Slack or Notion, a folder of GraphRAG or LightRAG
const GRAPH = 'application/graphml+xml'
const EXPORT = 'application/x-ndjson'
const IMPORTED: ReadonlySet<string> = new Set([ARCHIVE, GRAPH, EXPORT])
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

const MOST_TEXT = 1024 * 1024 // bytes of one document
const MOST_EXPORT = 16 * 1024 * 1024 // bytes of one call

/** Files, read and sorted; nothing has been sent. */
export interface Read {
  readonly texts: readonly Text[]
  /** Files other than texts, and exports, sent as they are. */
  readonly alone: readonly { readonly file: File; readonly type: string }[]
  readonly refused: readonly Refused[]
}

export async function read(files: readonly File[]): Promise<Read> {
  const refused: Refused[] = []
  const texts: Text[] = []
  const alone: { file: File; type: string }[] = []
  const skip = new Set(files.filter((file) => file.webkitRelativePath && !typeOf(file)))
  if (skip.size > 0)
    refused.push({ name: `${skip.size} of the folder’s files`, why: `are of other kinds than those that are read (${endingsOf(skip)}).` })
  for (const file of files) {
    const type = typeOf(file)
    if (skip.has(file)) continue
    if (!type) refused.push({ name: file.name, why: `What can be read: ${KINDS.map(([, { name }]) => name).join(', ')}.` })
    else if (IMPORTED.has(type) && file.size > MOST_EXPORT)
      refused.push({ name: file.name, why: 'For more than 16 MiB at once use `loam import`.' })
    else if (type !== 'text/plain' && type !== 'text/markdown') alone.push({ file, type })
    else if (file.size > MOST_TEXT)
      refused.push({ name: file.name, why: 'A text may be at most 1 MiB; `loam ingest` takes longer ones in parts.' })
    else {
      const text = unicodeOf(await file.arrayBuffer())
      const one = { id: idOf(file), title: titleOf(file), text: text ?? '' }
      origins.set(one, file)
      if (text === undefined)
        alone.push({ file, type }) // in another encoding, which the service detects
      else texts.push(one)
    }
  }
  const empty = texts.filter((one) => one.text.trim() === '')
  refused.push(...empty.map(({ title }) => ({ name: title, why: 'It contains no text.' })))
  return { texts: texts.filter((one) => one.text.trim() !== ''), alone, refused }
}

/** Which file a text is of. */
const origins = new WeakMap<Text, File>()

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

export interface Uploaded {
  readonly refused: readonly Refused[]
  /** Documents that were there with the same text: nothing was done for them. */
  readonly unchanged: number
  /** What each archive, graph or file of lines came to. */
  readonly brought: readonly Brought[]
}

export interface Brought extends Pick<Imported, 'documents' | 'labels' | 'from'> {
  readonly name: string
}

/** Labels given to what is sent; not said: a document put again keeps those it has, another gets none. */
type Labels = readonly string[] | undefined

export interface Watch {
  /** How far the files of these names are. */
  readonly tell: (names: readonly string[], state: Omit<FileState, 'name'>) => void
  /** What has not been sent by then is not. */
  readonly signal: AbortSignal
}

/** Names of files and texts, as a list shows them. */
export const namesOf = ({ texts, alone }: Read): readonly string[] => [...alone.map(({ file }) => idOf(file)), ...texts.map(({ id }) => id)]

/** Resolves when everything has been accepted or refused; the jobs go on. An export brings labels of its own. */
export async function upload(
  corpus: string,
  { texts, alone: files, refused: before }: Read,
  { access, tell, signal }: Watch & { readonly access?: Labels },
): Promise<Uploaded> {
  const refused = [...before]
  const brought: Brought[] = []
  let unchanged = 0
  const sent = async (some: readonly { readonly name: string; readonly file: File | undefined }[], send: () => Promise<Taken>) => {
    const names = some.map(({ name }) => name)
    const refuse = (why: string) => refused.push(...some.map(({ name, file }) => ({ name, why, ...(file ? { file } : {}) })))
    if (signal.aborted) return void refuse('It was not sent.')
    tell(names, { phase: 'sending' })
    try {
      const { same, job } = await send()
      unchanged += same
      const phase: Phase = same === names.length ? 'unchanged' : 'sent'
      tell(names, job ? { phase, job } : { phase })
    } catch (error) {
      refuse(whyOf(error))
    }
  }
  async function taken(file: File, type: string): Promise<Taken> {
    const { unchanged: same, ...rest } = await importFile(corpus, file, { type: type as ImportedAs['type'], access })
    brought.push({ ...rest, name: file.name })
    const [job] = rest.jobs
    return { same, ...(job ? { job } : {}) }
  }
  for (const { file, type } of files)
    await sent([{ name: idOf(file), file }], () => (IMPORTED.has(type) ? taken(file, type) : uploadFile(corpus, file, type, access)))
  for (const upserts of batches(texts))
    await sent(
      upserts.map((text) => ({ name: text.id, file: origins.get(text) })),
      () => uploadTexts(corpus, upserts, access),
    )
  return { refused, unchanged, brought }
}

/** How many were there already, and which job indexes the others. */
interface Taken {
  readonly same: number
  readonly job?: string
}

export async function put(corpus: string, { id, title, text }: Text, access?: Labels): Promise<Taken> {
  const { job } = await corpusAt(corpus).put(id, { text, title, ...(access ? { access } : {}) })
  return followJob(corpus, job, title)
}

async function uploadFile(corpus: string, file: File, type: string, access: Labels): Promise<Taken> {
  const { job } = await sendFile(corpus, file, type, access)
  return followJob(corpus, job, file.name)
}

/** `application/json` is a document of the API, so a JSON file is sent inside of one. A file that does not say what it is called has its name for a title. */
async function sendFile(corpus: string, file: File, type: string, access: Labels) {
  const title = SAY_THEIR_TITLE.has(type) ? undefined : titleOf(file)
  if (type !== 'application/json') return corpusAt(corpus).upload(idOf(file), file, { type, title, access })
  const labels = access ? { access } : {}
  return corpusAt(corpus).put(idOf(file), {
    content_base64: base64(new Uint8Array(await file.arrayBuffer())),
    content_type: type,
    title,
    ...labels,
  })
}

const SAY_THEIR_TITLE: ReadonlySet<string> = new Set(['text/html', 'message/rfc822', 'application/epub+zip', 'application/x-ipynb+json'])

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

/** Many documents, under ids of their own or such as begin with the file's name. */
async function importFile(corpus: string, file: File, { type, access }: { type: ImportedAs['type']; access: Labels }): Promise<Imported> {
  const imported = await corpusAt(corpus).import(file, { type, name: idOf(file), ...(access ? { access } : {}) })
  for (const job of imported.jobs) followJob(corpus, job, file.name)
  return imported
}

async function uploadTexts(corpus: string, texts: readonly Text[], access: Labels): Promise<Taken> {
  const [only] = texts
  if (texts.length === 1 && only) return put(corpus, only, access)
  const upserts = texts.map((text) => ({ ...text, ...(access ? { access } : {}) }))
  const { job, documents } = await corpusAt(corpus).batch({ upserts })
  const same = documents.filter(({ status }) => status === 'unchanged').length
  return { ...followJob(corpus, job, `${upserts.length - same} documents`), same }
}

/** Without a job nothing has changed. */
function followJob(corpus: string, job: string | undefined, label: string): Taken {
  if (!job) return { same: 1 }
  void follow(corpus, job, label).catch(() => undefined)
  return { same: 0, job }
}

/** A document's id is its file's name: dropping the file again replaces it. Cut to what the API takes. */
function idOf(file: File): string {
  const name = file.webkitRelativePath || file.name
  return name.length > 80 ? name.slice(-80).replace(/^[\uDC00-\uDFFF]/, '') : name
}

function titleOf(file: File): string {
  return file.name.replace(/\.[^.]+$/, '')
}

function whyOf(error: unknown): string {
  const advice = adviceOn(error)
  return error instanceof Error ? `${messageOf(error)}${advice && ` ${advice}`}` : 'It was refused.'
}
