/** Tools for keys that may read. */
import type { McpServer } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { formatLocation } from '../../client/location'
import type { node } from '../../contract/graph'
import { disagreementsOf } from './disagreements'
import { corporaListed, documentFetched, documentRead, entityExplored, questionAnswered } from './mcp-answers'
import { askArguments, exploreArguments, fetchArguments, listArguments, readArguments, searchArguments } from './mcp-arguments'
import type { Door } from './mcp-door'
import { foundSchema, searchAll } from './mcp-search'
import { presentationOf } from './mcp-tool-list'
import { chooseCorpus, fromRef, linkTo, readOnly, reportFailure, structured, ToolFailure } from './mcp-tools'

export function readingTools(server: McpServer, door: Door): void {
  const { loam } = door
  server.registerTool(
    'list_corpora',
    {
      ...presentationOf('list_corpora'),
      inputSchema: listArguments,
      outputSchema: corporaListed,
      annotations: readOnly,
    },
    ({ cursor }) =>
      reportFailure(async () => {
        const { data, next_cursor } = await listCorpora(door, cursor)
        const corpora = data.map((one) => ({
          corpus: one.corpus,
          documents: one.counts.documents ?? 0,
          status: one.status,
          strategies: one.strategies,
        }))
        return structured(corporaListed, { corpora, next_cursor })
      }),
  )
  server.registerTool(
    'search',
    {
      ...presentationOf('search'),
      inputSchema: searchArguments,
      outputSchema: foundSchema,
      annotations: readOnly,
    },
    ({ corpus, ...search }) => reportFailure(async () => structured(foundSchema, await searchAll(door, corpus, search))),
  )
  server.registerTool(
    'fetch',
    {
      ...presentationOf('fetch'),
      inputSchema: fetchArguments,
      outputSchema: documentFetched,
      annotations: readOnly,
    },
    ({ id }) =>
      reportFailure(async () => {
        const { corpus, document } = fromRef(id)
        const one = await loam.corpus(corpus).document(document)
        const url = linkTo(door, corpus, document, one.url)
        return structured(documentFetched, { id, title: one.title || document, text: one.text ?? '', url, metadata: one.metadata })
      }),
  )
  server.registerTool(
    'get_document',
    {
      ...presentationOf('get_document'),
      inputSchema: readArguments,
      outputSchema: documentRead,
      annotations: readOnly,
    },
    ({ document, corpus: named, start = 0, end }) =>
      reportFailure(async () => {
        const corpus = await chooseCorpus(door, named)
        const { title, url, status, text: whole = '' } = await loam.corpus(corpus).document(document)
        const text = whole.slice(start, end)
        return structured(documentRead, {
          corpus,
          document,
          title,
          url,
          status,
          text,
          start,
          end: start + text.length,
          length: whole.length,
        })
      }),
  )
  server.registerTool(
    'ask',
    {
      ...presentationOf('ask'),
      inputSchema: askArguments,
      outputSchema: questionAnswered,
      annotations: { ...readOnly, idempotentHint: false },
    },
    ({ question, corpus: named, ...options }) =>
      reportFailure(async () => {
        const corpus = await chooseCorpus(door, named)
        const result = await loam.corpus(corpus).query({ query: question, ...options })
        const sources = result.citations.map(
          (one) =>
            `[${one.marker}] ${one.title || one.document} (${one.document}, ${formatLocation(one) || `${one.start}–${one.end}`}): ${one.quote}`,
        )
        const doubts = result.support
          .filter(({ span, outcome }) => span && outcome !== 'supported')
          .map(({ claim, outcome }) => `${outcome}: ${claim}`)
        return structured(
          questionAnswered,
          { corpus, ...result },
          [result.answer, ...sources, ...doubts, ...disagreementsOf(result)].join('\n'),
        )
      }),
  )
  server.registerTool(
    'explore_entity',
    {
      ...presentationOf('explore_entity'),
      inputSchema: exploreArguments,
      outputSchema: entityExplored,
      annotations: readOnly,
    },
    ({ entity: wanted, corpus: named, depth = 1, limit = 40 }) =>
      reportFailure(async () => {
        const corpus = await chooseCorpus(door, named)
        const { id, namesakes } = ID.test(wanted) ? { id: wanted, namesakes: [] } : await findEntity(door, corpus, wanted)
        const { nodes, edges, truncated } = await loam.corpus(corpus).graph({ node: id, depth, limit })
        const entity = nodes.find((one) => one.id === id) ?? nodes[0]
        if (!entity) throw new ToolFailure('Nothing is connected to it.')
        return structured(entityExplored, { corpus, entity, namesakes, nodes, edges, truncated })
      }),
  )
}

const CORPORA_A_PAGE = 20 // corpora per page; each is asked for its state

async function listCorpora({ loam, fixed }: Door, cursor: string | undefined) {
  if (fixed !== undefined) return { data: [await loam.corpus(fixed).info()], next_cursor: null }
  return loam.corpora({ limit: CORPORA_A_PAGE, ...(cursor === undefined ? {} : { cursor }) })
}

const ID = /^[a-z]_[\w-]{16,}$/

type Listed = z.output<typeof node>

/** The entity with exactly this name, or else the shortest that contains it; and others with its name. */
async function findEntity({ loam }: Door, corpus: string, name: string): Promise<{ readonly id: string; readonly namesakes: Listed[] }> {
  const { data } = await loam.corpus(corpus).entities({ q: name, limit: 50 })
  const nameOf = (one: Listed): string => one.text.split('\n')[0] ?? ''
  const sorted = [...data].sort((a, b) => nameOf(a).length - nameOf(b).length || (a.id < b.id ? -1 : 1))
  const found = sorted.find((one) => nameOf(one).toLowerCase() === name.toLowerCase()) ?? sorted[0]
  if (!found) throw new ToolFailure(`No entity has “${name}” in its name.`)
  return { id: found.id, namesakes: data.filter((one) => one.id !== found.id && nameOf(one).toLowerCase() === nameOf(found).toLowerCase()) }
}
