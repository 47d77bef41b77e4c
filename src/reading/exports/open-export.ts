/**
 * An archive of many documents: an export as Slack or Notion gives it, or a zipped folder of another system (foreign.ts). Its names are
 * only names: nothing is written to such paths. The unpacked size is bounded before anything is unpacked, together with that of archives
 * inside it.
 */
import { unzipSync } from 'fflate'
import type { ReadBounds } from '../bounds'
import { Unreadable } from '../unreadable'
import { type Budget, type ExportedDocument, MAX_DOCUMENTS, tooLarge } from './exported'
import { type ForeignFolder, findForeign, foreignDocuments } from './foreign'
import { notionDocuments } from './notion'
import type { Taken } from './peer-graph'
import { slackDocuments } from './slack'

export interface ExportRead {
  readonly kind: 'slack' | 'notion' | ForeignFolder['kind']
  /** The prefix of each document's place; empty where documents have their own ids. */
  readonly under: string
  readonly documents: readonly ExportedDocument[]
  /** How much of another program's graph came with them. */
  readonly graph?: Taken
}

const MAX_PARTS = 20_000
const WANTED = /\.(json|md|csv|html?)$/i
const ARCHIVE = /\.zip$/i
const DAY = /^[^/]+\/\d{4}-\d\d-\d\d\.json$/
const NOTION = /[ -][0-9a-f]{32}(_all)?\.(md|csv|html?)$/i

/** Throws `Unreadable`: it is no such archive, broken, or more than is read at once. */
export async function readExport(bytes: Uint8Array, bounds: ReadBounds): Promise<ExportRead> {
  const foreign = findForeign(namesIn(bytes))
  if (foreign) return readForeign(bytes, foreign, bounds)
  const files = unpack(bytes, { left: bounds.unpacked, parts: 0 }, true)
  const names = [...files.keys()]
  const kind =
    names.some((name) => DAY.test(name)) && files.has('users.json') ? 'slack' : names.some((name) => NOTION.test(name)) ? 'notion' : null
  if (!kind)
    throw new Unreadable(
      'unsupported',
      'This archive is not an export of Slack or Notion, nor a folder of GraphRAG or LightRAG. Send its files one by one.',
    )
  const documents = kind === 'slack' ? slackDocuments(files) : await notionDocuments(files, bounds)
  if (documents.length > MAX_DOCUMENTS && !bounds.isTrusted) throw tooLarge(`more than ${MAX_DOCUMENTS} documents`)
  return { kind, under: kind, documents: some(documents) }
}

function some<T>(documents: readonly T[]): readonly T[] {
  if (documents.length === 0) throw new Unreadable('no_text', 'This export contains no text.')
  return documents
}

interface Unpacking extends Budget {
  parts: number
}

async function readForeign(bytes: Uint8Array, foreign: ForeignFolder, bounds: ReadBounds): Promise<ExportRead> {
  const budget = { left: bounds.unpacked, parts: 0 }
  const files = new Map(Object.entries(partsOf(bytes, budget, (name) => foreign.files.includes(name))))
  const { documents, graph } = await foreignDocuments(foreign, files, { bounds, budget })
  return { kind: foreign.kind, under: '', documents: some(documents), ...(graph ? { graph } : {}) }
}

function namesIn(bytes: Uint8Array): readonly string[] {
  const names: string[] = []
  partsOf(bytes, { left: 0, parts: 0 }, (name) => {
    names.push(name)
    return false
  })
  return names
}

/** One level of archives inside: Notion splits large exports into parts. */
function unpack(bytes: Uint8Array, budget: Unpacking, isOuter: boolean): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  const isWanted = (name: string): boolean => WANTED.test(name) || (isOuter && ARCHIVE.test(name))
  for (const [name, content] of Object.entries(partsOf(bytes, budget, isWanted))) {
    if (!ARCHIVE.test(name)) found.set(name, content)
    else for (const [inner, part] of unpack(content, budget, false)) found.set(inner, part)
  }
  return withoutRoot(found)
}

function partsOf(bytes: Uint8Array, budget: Unpacking, isWanted: (name: string) => boolean): { readonly [name: string]: Uint8Array } {
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (++budget.parts > MAX_PARTS) throw tooLarge(`more than ${MAX_PARTS} parts`)
        if (!isPlain(name) || !isWanted(name)) return false
        budget.left -= originalSize
        if (budget.left < 0) throw tooLarge('more text than can be read at once')
        return true
      },
    })
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('broken', 'This archive is broken, or not a zip archive.')
  }
}

/** A path that leads outside the archive, or a word with a meaning in JavaScript, is not a file name of theirs. */
const isPlain = (name: string): boolean =>
  name.length <= 1024 &&
  !name.startsWith('/') &&
  !/[\\\0]/.test(name) &&
  !name.split('/').some((step) => step === '..' || step === '__proto__' || step === '__MACOSX')

/** Some programs wrap everything in one more folder. */
function withoutRoot(files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  const roots = new Set([...files.keys()].map((name) => name.slice(0, name.indexOf('/') + 1)))
  const [root = ''] = roots
  if (roots.size !== 1 || root === '' || !files.has(`${root}users.json`)) return files
  return new Map([...files].map(([name, content]) => [name.slice(root.length), content]))
}
