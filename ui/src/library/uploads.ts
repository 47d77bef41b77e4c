/** Turns files into documents: texts of one drop together as a batch (one version, one receipt), pages and PDFs one by one, unchanged. */

import type { Imported, ImportedAs } from '../../../src/client/client'
import { follow } from '../jobs/followed'
import { adviceOn, messageOf } from '../shared/advice'
import { corpusAt, isStatus } from '../shared/loam'
import type { FileState, Phase, Refused } from './file-state'
import { type Alone, filesOf, IMPORTED, type Read } from './read-files'
import { dropStale } from './stale-parts'
import { batches, type Text } from './text-batches'

export interface Uploaded {
  readonly refused: readonly Refused[]
  /** Existing documents with the same text: nothing was done for them. */
  readonly unchanged: number
  /** What each archive, graph or file of lines became. */
  readonly brought: readonly Brought[]
}

export interface Brought extends Pick<Imported, 'documents' | 'labels' | 'graph' | 'from'> {
  readonly name: string
}

/** Labels given to what is sent; absent: a document put again keeps its labels, a new one gets none. */
type Labels = readonly string[] | undefined

export interface Watch {
  /** The progress of the files with these names. */
  readonly tell: (names: readonly string[], state: Omit<FileState, 'name'>) => void
  /** For the file with this name: when it is aborted, what has not been sent is not sent, and what is being sent alone is interrupted. */
  readonly signalOf: (name: string) => AbortSignal
}

/** Resolves when everything has been accepted or refused; the jobs continue. An export brings its own labels. */
export async function upload(
  corpus: string,
  read: Read,
  { access, tell, signalOf }: Watch & { readonly access?: Labels },
): Promise<Uploaded> {
  const refused = [...read.refused]
  const brought: Brought[] = []
  let unchanged = 0
  const files = new Map(filesOf(read).map(({ name, file }) => [name, file]))
  const refuse = (names: readonly string[], why: string) => {
    for (const name of names) {
      const file = files.get(name)
      refused.push({ name, why, ...(file ? { file } : {}) })
    }
  }
  const sent = async (all: readonly string[], send: (names: ReadonlySet<string>, signal?: AbortSignal) => Promise<Taken>) => {
    const names = all.filter((name) => !signalOf(name).aborted)
    const [only] = names
    refuse(
      all.filter((name) => !names.includes(name)),
      'It was not sent.',
    )
    if (only === undefined) return
    const signal = names.length === 1 ? signalOf(only) : undefined
    tell(names, { phase: 'sending', ...(signal ? {} : { isTogether: true }) })
    try {
      const { same, job } = await send(new Set(names), signal)
      unchanged += same
      const phase: Phase = same === names.length ? 'unchanged' : 'sent'
      tell(names, job ? { phase, job } : { phase })
    } catch (error) {
      refuse(names, signal?.aborted ? 'It was stopped while it was being sent, and may have arrived.' : whyOf(error))
    }
  }
  async function taken({ file, id, type }: Alone, signal?: AbortSignal): Promise<Taken> {
    const { unchanged: same, ...rest } = await importFile({ corpus, signal }, { file, id }, { type: type as ImportedAs['type'], access })
    brought.push({ ...rest, name: file.name })
    const [job] = rest.jobs
    return { same, ...(job ? { job } : {}) }
  }
  for (const one of read.alone)
    await sent([one.id], (_, signal) => (IMPORTED.has(one.type) ? taken(one, signal) : uploadFile({ corpus, signal }, one, access)))
  for (const upserts of batches(read.texts))
    await sent(
      upserts.map(({ id }) => id),
      (names, signal) =>
        uploadTexts(
          { corpus, signal },
          upserts.filter(({ id }) => names.has(id)),
          access,
        ),
    )
  const failed = new Set(refused.map(({ name }) => name))
  await dropStale(corpus, read, failed).catch((error) => refuse(['Earlier parts'], whyOf(error)))
  return { refused, unchanged, brought }
}

interface Where {
  readonly corpus: string
  readonly signal: AbortSignal | undefined
}

/** How many existed already, and which job indexes the others. */
interface Taken {
  readonly same: number
  readonly job?: string
}

export const put = (corpus: string, text: Text, access?: Labels): Promise<Taken> => putText({ corpus, signal: undefined }, text, access)

async function putText({ corpus, signal }: Where, { id, title, text }: Text, access?: Labels): Promise<Taken> {
  const { job } = await corpusAt(corpus, signal).put(id, { text, title, ...(access ? { access } : {}) })
  return followJob(corpus, job, title)
}

async function uploadFile(where: Where, one: Alone, access: Labels): Promise<Taken> {
  const { job } = await sendFile(where, one, access)
  return followJob(where.corpus, job, one.id)
}

/** `application/json` is a document in the API, so a JSON file is sent inside one. A file without a title gets its name as title. */
async function sendFile({ corpus, signal }: Where, { id, title, file, type }: Alone, access: Labels) {
  if (type !== 'application/json') return corpusAt(corpus, signal).upload(id, file, { type, title, access })
  const labels = access ? { access } : {}
  return corpusAt(corpus, signal).put(id, {
    content_base64: base64(new Uint8Array(await file.arrayBuffer())),
    content_type: type,
    title,
    ...labels,
  })
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

/** Many documents, with their own ids or ids that begin with the file's name. */
async function importFile(
  { corpus, signal }: Where,
  { file, id }: Pick<Alone, 'file' | 'id'>,
  { type, access }: { type: ImportedAs['type']; access: Labels },
): Promise<Imported> {
  const imported = await corpusAt(corpus, signal).import(file, { type, name: id, ...(access ? { access } : {}) })
  for (const job of imported.jobs) followJob(corpus, job, file.name)
  return imported
}

async function uploadTexts(where: Where, texts: readonly Text[], access: Labels): Promise<Taken> {
  const { corpus, signal } = where
  const [only] = texts
  if (texts.length === 1 && only) return putText(where, only, access)
  const upserts = texts.map((text) => ({ ...text, ...(access ? { access } : {}) }))
  const { job, documents } = await corpusAt(corpus, signal).batch({ upserts })
  const same = documents.filter(({ status }) => status === 'unchanged').length
  return { ...followJob(corpus, job, `${upserts.length - same} documents`), same }
}

/** Without a job nothing has changed. */
function followJob(corpus: string, job: string | undefined, label: string): Taken {
  if (!job) return { same: 1 }
  void follow(corpus, job, label).catch(() => undefined)
  return { same: 0, job }
}

const IN_PARTS = '`loam ingest` reads it on your own machine and sends it in parts.'

function whyOf(error: unknown): string {
  const advice = isStatus(error, 413) && !adviceOn(error) ? IN_PARTS : adviceOn(error)
  return error instanceof Error ? `${messageOf(error)}${advice && ` ${advice}`}` : 'It was refused.'
}
