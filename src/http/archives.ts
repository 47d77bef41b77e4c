/** Exports of Slack and Notion: an archive in the place of a document, or as a body, is as many documents as it holds. */
import { isolateBounds } from '../reading/bounds'
import { asDocument } from '../reading/exports/exported'
import { Unreadable } from '../reading/unreadable'
import { Problem } from './problem'
import { CODES } from './reading'

const ZIP: ReadonlySet<string> = new Set(['application/zip', 'application/x-zip-compressed', 'application/x-zip'])

export const isArchive = (contentType: string | null | undefined): boolean =>
  ZIP.has((contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '')

/** `under`: what stands before each document's place; by default the program's name. Dates as members of the document. */
export async function readArchive(bytes: Uint8Array, under?: string) {
  const { readExport } = await import('../reading/exports/open-export')
  try {
    const { kind, documents } = await readExport(bytes, isolateBounds)
    return documents.map((one) => {
      const { dates, ...document } = asDocument(under ?? kind, one)
      return { ...document, ...dates }
    })
  } catch (error) {
    if (error instanceof Unreadable) throw new Problem(CODES[error.why], error.message)
    throw error
  }
}
