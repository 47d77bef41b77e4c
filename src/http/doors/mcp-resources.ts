/** Documents as resources: `loam://manuals/documents/a%2Fb`. All of them are listed, a page at a time, one corpus after the other. */
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { isLoamError } from './inside'
import type { Door } from './mcp-door'

const SCHEME = 'loam://'
const PAGE = 100 // documents
const CORPORA_A_PAGE = 20 // looked into, if they hold little
const ADDRESS = /^loam:\/\/([^/]+)\/documents\/([^/]+)$/

/** Where the list continues: in this corpus, from this cursor of its documents. */
const placeSchema = z.tuple([z.string(), z.string().nullable()])

export function addResources(server: McpServer, door: Door): void {
  const description = { title: 'Document', description: 'The text of a document.', mimeType: 'text/plain' }
  const template = new ResourceTemplate(`${SCHEME}{corpus}/documents/{document}`, { list: () => listDocuments(door, undefined) })
  server.registerResource('document', template, description, async (uri) => {
    try {
      const { corpus, document } = fromUri(uri.href)
      const { text = '' } = await door.loam.corpus(corpus).document(document)
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] }
    } catch (error) {
      if (error instanceof ProtocolError) throw error
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Cannot be read: ${isLoamError(error) ? error.code : 'not a document'}`)
    }
  })
  // The library's own list has no pages.
  server.server.setRequestHandler('resources/list', async ({ params }) => listDocuments(door, params?.cursor))
}

export function resourceUri(corpus: string, document: string): string {
  return `${SCHEME}${corpus}/documents/${encodeURIComponent(document)}`
}

function fromUri(uri: string): { readonly corpus: string; readonly document: string } {
  const [, corpus = '', document = ''] = ADDRESS.exec(uri) ?? []
  try {
    if (corpus !== '') return { corpus, document: decodeURIComponent(document) }
  } catch {
    // not percent-encoded: not one of our addresses
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Cannot be read: documents are ${SCHEME}<corpus>/documents/<id>`)
}

async function listDocuments(door: Door, cursor: string | undefined) {
  const [begin, within] = cursor === undefined ? ['', null] : placeOf(cursor)
  const names = (await door.corpora()).filter((name) => name >= begin)
  const resources: { uri: string; name: string; mimeType: string }[] = []
  for (const [nth, name] of names.entries()) {
    if (resources.length >= PAGE || nth >= CORPORA_A_PAGE) return { resources, nextCursor: cursorFor(name, null) }
    const from = name === begin && within !== null ? { cursor: within } : {}
    const { data, next_cursor } = await door.loam.corpus(name).page({ limit: PAGE - resources.length, ...from })
    for (const { document, title } of data)
      resources.push({ uri: resourceUri(name, document), name: title || document, mimeType: 'text/plain' })
    if (next_cursor !== null) return { resources, nextCursor: cursorFor(name, next_cursor) }
  }
  return { resources }
}

function cursorFor(corpus: string, within: string | null): string {
  return btoa(JSON.stringify([corpus, within]))
}

function placeOf(cursor: string): z.output<typeof placeSchema> {
  try {
    return placeSchema.parse(JSON.parse(atob(cursor)))
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This cursor is not valid. Use the one that the list returned.')
  }
}
