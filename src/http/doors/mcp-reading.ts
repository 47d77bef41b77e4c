/** Tools of a key that may read. */
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { enumerated } from '../../contract/enumerated'
import { exact } from '../../contract/exact'
import { edge, node } from '../../contract/graph'
import { strategyNames } from '../../contract/options'
import { citation, claimSupport, querySchema } from '../../contract/questions'
import { optionalStrategies } from '../../core/strategies/registry'
import type { Door } from './mcp-door'
import { foundSchema, searchAll } from './mcp-search'
import { shownAs } from './mcp-tool-list'
import { corpusArgument, corpusMeant, fromRef, guarded, linkTo, reads, told, Untold } from './mcp-tools'

/** Those a question can be asked with once a corpus has them. */
const systems = strategyNames.filter((one) => optionalStrategies.includes(one))
const strategy = z
  .enum(strategyNames)
  .optional()
  .describe(
    `How the graph is walked; \`auto\` weighs several. The systems ${enumerated(systems, 'and')} must be switched on for the corpus.`,
  )
const topK = z.int().min(1).max(100).optional().describe('How many pieces of evidence; 10 unless told.')
const listed = z.object({
  corpora: z.array(z.object({ corpus: z.string(), documents: z.number(), status: z.string(), strategies: z.array(z.string()) })),
  next_cursor: z.string().nullable().describe('Give it as `cursor` for those that follow; null: these are all.'),
})
const fetched = z.object({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  metadata: z.record(z.string(), z.unknown()),
})
const got = z.object({
  corpus: z.string(),
  document: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  status: z.string(),
  text: z.string(),
  start: z.number(),
  end: z.number(),
  length: z.number().describe('Of the whole text, in characters.'),
})
const answered = z.object({
  corpus: z.string(),
  answer: z.string(),
  citations: z.array(citation),
  grounded: z.boolean().describe('Every statement is supported by what it cites.'),
  support: z.array(claimSupport),
  answered: z.boolean(),
  insufficient: z.boolean(),
  confidence: z.number(),
  generator: z.enum(['model', 'extractive']),
})
const explored = z.object({
  corpus: z.string(),
  entity: node,
  namesakes: z.array(node).describe('Other entities of the same name: things of their own, told apart by `about`. Explore one by its id.'),
  nodes: z.array(node),
  edges: z.array(edge),
  truncated: z.boolean(),
})

export function readingTools(server: McpServer, door: Door): void {
  const { loam } = door
  server.registerTool(
    'list_corpora',
    {
      ...shownAs('list_corpora'),
      inputSchema: exact({ cursor: z.string().max(2048).optional().describe('The `next_cursor` of the page before.') }),
      outputSchema: listed,
      annotations: reads,
    },
    ({ cursor }) =>
      guarded(async () => {
        const { data, next_cursor } = await listedOf(door, cursor)
        const corpora = data.map((one) => ({
          corpus: one.corpus,
          documents: one.counts.documents ?? 0,
          status: one.status,
          strategies: one.strategies,
        }))
        return told(listed, { corpora, next_cursor })
      }),
  )
  server.registerTool(
    'search',
    {
      ...shownAs('search'),
      inputSchema: exact({
        query: z.string().min(1).describe('A question, or what it is about.'),
        corpus: corpusArgument,
        strategy,
        top_k: topK,
      }),
      outputSchema: foundSchema,
      annotations: reads,
    },
    ({ query, corpus, strategy, top_k }) =>
      guarded(async () =>
        told(foundSchema, await searchAll(door, corpus, { query, ...(strategy ? { strategy } : {}), ...(top_k ? { top_k } : {}) })),
      ),
  )
  server.registerTool(
    'fetch',
    {
      ...shownAs('fetch'),
      inputSchema: exact({ id: z.string().min(1) }),
      outputSchema: fetched,
      annotations: reads,
    },
    ({ id }) =>
      guarded(async () => {
        const { corpus, document } = fromRef(id)
        const one = await loam.corpus(corpus).document(document)
        const url = linkTo(door, corpus, document, one.url)
        return told(fetched, { id, title: one.title || document, text: one.text ?? '', url, metadata: one.metadata })
      }),
  )
  server.registerTool(
    'get_document',
    {
      ...shownAs('get_document'),
      inputSchema: exact({
        document: z.string().min(1).describe('Its id.'),
        corpus: corpusArgument,
        start: z.int().min(0).optional(),
        end: z.int().min(0).optional(),
      }),
      outputSchema: got,
      annotations: reads,
    },
    ({ document, corpus: named, start = 0, end }) =>
      guarded(async () => {
        const corpus = await corpusMeant(door, named)
        const { title, url, status, text: whole = '' } = await loam.corpus(corpus).document(document)
        const text = whole.slice(start, end)
        return told(got, { corpus, document, title, url, status, text, start, end: start + text.length, length: whole.length })
      }),
  )
  server.registerTool(
    'ask',
    {
      ...shownAs('ask'),
      inputSchema: exact({
        question: z.string().min(1),
        corpus: corpusArgument,
        strategy,
        top_k: topK,
        unsupported: querySchema.shape.unsupported,
      }),
      outputSchema: answered,
      annotations: { ...reads, idempotentHint: false },
    },
    ({ question, corpus: named, strategy, top_k, unsupported }) =>
      guarded(async () => {
        const corpus = await corpusMeant(door, named)
        const asked = {
          query: question,
          ...(strategy ? { strategy } : {}),
          ...(top_k ? { top_k } : {}),
          ...(unsupported ? { unsupported } : {}),
        }
        const result = await loam.corpus(corpus).query(asked)
        const sources = result.citations.map(
          (one) => `[${one.marker}] ${one.title || one.document} (${one.document}, ${one.start}–${one.end}): ${one.quote}`,
        )
        const doubts = result.support
          .filter(({ span, outcome }) => span && outcome !== 'supported')
          .map(({ claim, outcome }) => `${outcome}: ${claim}`)
        return told(answered, { corpus, ...result }, [result.answer, ...sources, ...doubts].join('\n'))
      }),
  )
  server.registerTool(
    'explore_entity',
    {
      ...shownAs('explore_entity'),
      inputSchema: exact({
        entity: z.string().min(1).max(200).describe('Its name or a part of it, or the id of a node.'),
        corpus: corpusArgument,
        depth: z.int().min(1).max(3).optional().describe('Steps from it; 1 unless told.'),
        limit: z.int().min(1).max(200).optional().describe('Nodes at most; 40 unless told.'),
      }),
      outputSchema: explored,
      annotations: reads,
    },
    ({ entity: wanted, corpus: named, depth = 1, limit = 40 }) =>
      guarded(async () => {
        const corpus = await corpusMeant(door, named)
        const { id, namesakes } = ID.test(wanted) ? { id: wanted, namesakes: [] } : await entityNamed(door, corpus, wanted)
        const { nodes, edges, truncated } = await loam.corpus(corpus).graph({ node: id, depth, limit })
        const entity = nodes.find((one) => one.id === id) ?? nodes[0]
        if (!entity) throw new Untold('There is nothing around it.')
        return told(explored, { corpus, entity, namesakes, nodes, edges, truncated })
      }),
  )
}

const LISTED = 20 // corpora of a page; each is asked how it is

async function listedOf({ loam, fixed }: Door, cursor: string | undefined) {
  if (fixed !== undefined) return { data: [await loam.corpus(fixed).info()], next_cursor: null }
  return loam.corpora({ limit: LISTED, ...(cursor === undefined ? {} : { cursor }) })
}

const ID = /^[a-z]_[\w-]{16,}$/

type Listed = z.output<typeof node>

/** The entity of exactly this name, else the shortest that contains it; and others of its name. */
async function entityNamed({ loam }: Door, corpus: string, name: string): Promise<{ readonly id: string; readonly namesakes: Listed[] }> {
  const { data } = await loam.corpus(corpus).entities({ q: name, limit: 50 })
  const nameOf = (one: Listed): string => one.text.split('\n')[0] ?? ''
  const sorted = [...data].sort((a, b) => nameOf(a).length - nameOf(b).length || (a.id < b.id ? -1 : 1))
  const found = sorted.find((one) => nameOf(one).toLowerCase() === name.toLowerCase()) ?? sorted[0]
  if (!found) throw new Untold(`There is no entity whose name contains “${name}”.`)
  return { id: found.id, namesakes: data.filter((one) => one.id !== found.id && nameOf(one).toLowerCase() === nameOf(found).toLowerCase()) }
}
