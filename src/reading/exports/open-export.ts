/**
 * An archive of many documents: an export of Slack or of Notion, as they give it. Its names are only names: nothing is written under them. What it
 * unpacks to is bounded before anything is unpacked, archives inside of it together with it.
 */
import { unzipSync } from 'fflate'
import type { ReadBounds } from '../bounds'
import { Unreadable } from '../unreadable'
import type { ExportedDocument } from './exported'
import { notionDocuments } from './notion'
import { slackDocuments } from './slack'

export interface ExportRead {
  readonly kind: 'slack' | 'notion'
  readonly documents: readonly ExportedDocument[]
}

const MAX_PARTS = 20_000
const MAX_DOCUMENTS = 5000
const WANTED = /\.(json|md|csv|html?)$/i
const ARCHIVE = /\.zip$/i
const DAY = /^[^/]+\/\d{4}-\d\d-\d\d\.json$/
const NOTION = /[ -][0-9a-f]{32}(_all)?\.(md|csv|html?)$/i

/** Throws `Unreadable`: it is neither, broken, or more than is read at once. */
export async function readExport(bytes: Uint8Array, bounds: ReadBounds): Promise<ExportRead> {
  const files = unpack(bytes, { left: bounds.unpacked, parts: 0 }, true)
  const names = [...files.keys()]
  const kind =
    names.some((name) => DAY.test(name)) && files.has('users.json') ? 'slack' : names.some((name) => NOTION.test(name)) ? 'notion' : null
  if (!kind) throw new Unreadable('unsupported', 'This archive is no export of Slack or Notion. Send the files in it one by one.')
  const documents = kind === 'slack' ? slackDocuments(files) : await notionDocuments(files, bounds)
  if (documents.length > MAX_DOCUMENTS && !bounds.isTrusted) throw tooLarge(`more than ${MAX_DOCUMENTS} documents`)
  if (documents.length === 0) throw new Unreadable('no_text', 'This export holds no text.')
  return { kind, documents }
}

interface Budget {
  left: number
  parts: number
}

/** One level of archives inside: Notion packs what is large into parts. */
function unpack(bytes: Uint8Array, budget: Budget, isOuter: boolean): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  for (const [name, content] of Object.entries(partsOf(bytes, budget, isOuter))) {
    if (!ARCHIVE.test(name)) found.set(name, content)
    else for (const [inner, part] of unpack(content, budget, false)) found.set(inner, part)
  }
  return withoutRoot(found)
}

function partsOf(bytes: Uint8Array, budget: Budget, isOuter: boolean): { readonly [name: string]: Uint8Array } {
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (++budget.parts > MAX_PARTS) throw tooLarge(`more than ${MAX_PARTS} parts`)
        if (!isPlain(name) || !(WANTED.test(name) || (isOuter && ARCHIVE.test(name)))) return false
        budget.left -= originalSize
        if (budget.left < 0) throw tooLarge('more text than is read at once')
        return true
      },
    })
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('broken', 'This archive is broken, or no zip.')
  }
}

/** A name that leads elsewhere, or is a word of the language, is no name of theirs. */
const isPlain = (name: string): boolean =>
  name.length <= 1024 &&
  !name.startsWith('/') &&
  !/[\\\0]/.test(name) &&
  !name.split('/').some((step) => step === '..' || step === '__proto__' || step === '__MACOSX')

/** Some programs put everything into one folder more. */
function withoutRoot(files: Map<string, Uint8Array>): Map<string, Uint8Array> {
  const roots = new Set([...files.keys()].map((name) => name.slice(0, name.indexOf('/') + 1)))
  const [root = ''] = roots
  if (roots.size !== 1 || root === '' || !files.has(`${root}users.json`)) return files
  return new Map([...files].map(([name, content]) => [name.slice(root.length), content]))
}

const tooLarge = (what: string): Unreadable =>
  new Unreadable('too_large', `This export holds ${what}. \`loam import\` reads it on your own machine and sends it in parts.`)
