/** Tools for keys that may write. */
import type { McpServer } from '@modelcontextprotocol/server'
import { documentChanged } from './mcp-answers'
import { addArguments, deleteArguments } from './mcp-arguments'
import type { Door } from './mcp-door'
import { presentationOf } from './mcp-tool-list'
import { chooseCorpus, reportFailure, structured } from './mcp-tools'

const WAIT = 20 // seconds a tool waits for its job; clients give up at about a minute

export function writingTools(server: McpServer, door: Door): void {
  const { loam } = door
  const settled = async (corpus: string, document: string, job: string | undefined) => {
    const status = job === undefined ? 'unchanged' : (await loam.corpus(corpus).job(job, WAIT)).status
    return structured(documentChanged, { corpus, document, job: job ?? null, status })
  }
  server.registerTool(
    'add_document',
    {
      ...presentationOf('add_document'),
      inputSchema: addArguments,
      outputSchema: documentChanged,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ id, corpus: named, url, ...document }) =>
      reportFailure(async () => {
        const corpus = await chooseCorpus(door, named)
        const { job } = await loam.corpus(corpus).put(id, { ...document, url: url || null })
        return settled(corpus, id, job)
      }),
  )
  server.registerTool(
    'delete_document',
    {
      ...presentationOf('delete_document'),
      inputSchema: deleteArguments,
      outputSchema: documentChanged,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ id, corpus: named }) =>
      reportFailure(async () => {
        const corpus = await chooseCorpus(door, named)
        const { job } = await loam.corpus(corpus).remove(id)
        return settled(corpus, id, job)
      }),
  )
}
