/** Tools of a key that may write. */
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { exact } from '../../contract/exact'
import type { Door } from './mcp-door'
import { shownAs } from './mcp-tool-list'
import { corpusArgument, corpusMeant, guarded, told } from './mcp-tools'

const WAIT = 20 // seconds a tool waits for its job; clients give up at about a minute
const id = z.string().min(1).describe('The document’s id, of your choosing.')
const done = z.object({
  corpus: z.string(),
  document: z.string(),
  job: z.string().nullable(),
  status: z.string().describe('Of the job; `unchanged` where nothing had to be done.'),
})

export function writingTools(server: McpServer, door: Door): void {
  const { loam } = door
  const settled = async (corpus: string, document: string, job: string | undefined) => {
    const status = job === undefined ? 'unchanged' : (await loam.corpus(corpus).job(job, WAIT)).status
    return told(done, { corpus, document, job: job ?? null, status })
  }
  server.registerTool(
    'add_document',
    {
      ...shownAs('add_document'),
      inputSchema: exact({
        id,
        text: z.string().min(1),
        corpus: corpusArgument,
        title: z.string().optional(),
        url: z.string().optional(),
      }),
      outputSchema: done,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ id, text, corpus: named, title, url }) =>
      guarded(async () => {
        const corpus = await corpusMeant(door, named)
        const { job } = await loam.corpus(corpus).put(id, { text, ...(title ? { title } : {}), ...(url ? { url } : {}) })
        return settled(corpus, id, job)
      }),
  )
  server.registerTool(
    'delete_document',
    {
      ...shownAs('delete_document'),
      inputSchema: exact({ id, corpus: corpusArgument }),
      outputSchema: done,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ id, corpus: named }) =>
      guarded(async () => {
        const corpus = await corpusMeant(door, named)
        const { job } = await loam.corpus(corpus).remove(id)
        return settled(corpus, id, job)
      }),
  )
}
