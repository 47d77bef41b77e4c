/**
 * An export of Notion (Markdown & CSV, or HTML): one document per page, placed under the pages above it, without the ids that Notion writes
 * into every name. A database becomes its own table, in addition to the pages of its rows.
 */
import type { ReadBounds } from '../bounds'
import { readCsv } from '../csv'
import { readHtml } from '../html'
import { readMarkdown } from '../markdown'
import { Unreadable } from '../unreadable'
import type { ExportedDocument, Files } from './exported'

const ID = /[ -]([0-9a-f]{32})(_all)?$/i
const ENDING = /\.(md|csv|html?)$/i
const LINK = /\[([^\]]*)\]\(([^)\s]*[0-9a-f]{32}[^)\s]*\.(?:md|csv|html?))\)/gi // to another page of the export

export async function notionDocuments(files: Files, bounds: ReadBounds): Promise<ExportedDocument[]> {
  const documents: ExportedDocument[] = []
  const taken = new Set<string>()
  for (const name of [...files.keys()].sort()) {
    const ending = ENDING.exec(name)?.[1]?.toLowerCase()
    // Of a database, the view with all rows is used if both exist.
    const isPart = ending === 'csv' && files.has(name.replace(/\.csv$/i, '_all.csv'))
    if (!ending || isPart || (ending.startsWith('htm') && /(^|\/)index\.html?$/i.test(name))) continue
    const text = new TextDecoder().decode(files.get(name))
    const read = await readPage(ending, text, bounds)
    if (read.text.trim() === '') continue
    const steps = name.replace(ENDING, '').split('/')
    const id = ID.exec(steps.at(-1) ?? '')?.[1]?.toLowerCase()
    const place = steps.map((step) => step.replace(ID, '').trim() || 'Untitled').join('/')
    const path = taken.has(place) ? `${place} ${(id ?? name).slice(0, 8)}` : place
    if (taken.has(path)) continue
    taken.add(path)
    documents.push({
      path,
      title: read.title || (place.split('/').at(-1) ?? place),
      text: read.text.replace(LINK, '$1'),
      ...(id ? { url: `https://www.notion.so/${id}` } : {}),
      metadata: { path: place, ...(ending === 'csv' ? { kind: 'database' } : {}) },
    })
  }
  return documents
}

async function readPage(ending: string, text: string, bounds: ReadBounds): Promise<{ readonly title: string; readonly text: string }> {
  if (ending === 'md') return readMarkdown(text)
  if (ending === 'csv') return readCsv(text, bounds)
  const page = readHtml(text, bounds.text)
  if (!page) throw new Unreadable('broken', 'A page of this export is nested too deeply to be read.')
  return page
}
