/** Documents as resources: `loam://manuals/a%2Fb`. The list shows the first of each corpus; what `search` finds can be read as well. */
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from '@modelcontextprotocol/server'
import { isLoamError } from './inside'
import type { Door } from './mcp-door'
import { documentRef, fromRef } from './mcp-tools'

const SCHEME = 'loam://'
const MAX_LISTED = 100 // documents, all corpora together

export function addResources(server: McpServer, door: Door): void {
  const list = async () => {
    const resources = []
    for (const corpus of await door.corpora()) {
      if (resources.length >= MAX_LISTED) break
      const { data } = await door.loam.corpus(corpus).page({ limit: MAX_LISTED - resources.length })
      for (const { document, title } of data) {
        resources.push({ uri: SCHEME + documentRef(corpus, document), name: title || document, mimeType: 'text/plain' })
      }
    }
    return { resources }
  }
  server.registerResource(
    'document',
    new ResourceTemplate(`${SCHEME}{corpus}/{document}`, { list }),
    { title: 'Document', description: 'The text of a document.', mimeType: 'text/plain' },
    async (uri) => {
      try {
        const { corpus, document } = fromRef(uri.href.slice(SCHEME.length))
        const { text = '' } = await door.loam.corpus(corpus).document(document)
        return { contents: [{ uri: uri.href, mimeType: 'text/plain', text }] }
      } catch (error) {
        const detail = isLoamError(error) ? error.code : 'not a document'
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Cannot be read: ${detail}`)
      }
    },
  )
}
