/**
 * Exports of Slack and Notion, zipped folders of GraphRAG and LightRAG: an archive sent as a document or as a body becomes all the
 * documents it contains.
 */
import { isolateBounds } from '../reading/bounds'
import { asDocument } from '../reading/exports/exported'
import { Unreadable } from '../reading/unreadable'
import { Problem } from './problem'
import { CODES } from './reading'

const ZIP: ReadonlySet<string> = new Set(['application/zip', 'application/x-zip-compressed', 'application/x-zip'])

export const isArchive = (contentType: string | null | undefined): boolean =>
  ZIP.has((contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '')

const GRAPHML: ReadonlySet<string> = new Set(['application/graphml+xml', 'application/x-graphml+xml'])

export const isGraphml = (contentType: string): boolean => GRAPHML.has(contentType)

/** `name`: of the file; ids begin with it. */
export const readGraph = (bytes: Uint8Array, name: string) =>
  told(async () => {
    const [{ readGraphml }, { decode }] = await Promise.all([import('../reading/graphml'), import('../reading/decode')])
    return { kind: 'graphml' as const, documents: readGraphml(await decode(bytes), name, isolateBounds).map((one) => asDocument('', one)) }
  })

/**
 * `under`: what precedes each document's place; by default the program's name, or nothing if documents have their own ids. Dates
 * become members of the document.
 */
export const readArchive = (bytes: Uint8Array, under?: string) =>
  told(async () => {
    const { readExport } = await import('../reading/exports/open-export')
    const { kind, under: own, documents, graph } = await readExport(bytes, isolateBounds)
    const found = documents.map((one) => {
      const { dates, ...document } = asDocument(under ?? own, one)
      return { ...document, ...dates }
    })
    return { kind, documents: found, ...(graph ? { graph } : {}) }
  })

async function told<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Unreadable) throw new Problem(CODES[error.why], error.message)
    throw error
  }
}
