/** What is known about one entity: names, types, descriptions and relations, by whom, and where it is mentioned. Read from the chunks that the asker may see. */
import type { EntityDetails } from '../../../src/contract/entities'
import type { Asker } from '../../../src/core/access/labels'
import { ruleOf } from '../../../src/core/builders/decision-list'
import { KNOWLEDGE, knowledgeOf } from '../../../src/core/builders/knowledge-row'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { CorpusContext } from '../store'
import { relationsOf } from './entity-relations'
import { readableBy, visibleGraph } from './visibility'

const limits = {
  chunks: 200, // considered: those that mention it most
  descriptions: 10, // shown, each once
  documents: 50, // named
} as const

/** Null: there is none for the asker. */
export function entityDetails(context: CorpusContext, id: string, asker?: Asker): EntityDetails | null {
  const graph = visibleGraph(context, readableBy(context, asker))
  const node = graph.node(id)
  if (node?.kind !== 'entity') return null
  const chunks = graph.edgesTo('mentions', id, limits.chunks).map(({ source }) => source)
  graph.preload?.({ values: [{ space: KNOWLEDGE, keys: chunks }], placements: chunks })
  const told = chunks.flatMap((chunk) => tellingsIn(graph, chunk, id))
  const documents = [...new Set(chunks.flatMap((chunk) => graph.placements(chunk).map(({ document }) => document)))]
  return {
    id,
    name: node.text.split('\n')[0] ?? '',
    also: aliasesOf(node.data).filter((name) => name !== node.text),
    types: counted(told.flatMap(({ type }) => (type ? [type] : []))),
    descriptions: distinct(told.filter(({ text }) => text !== '')).slice(0, limits.descriptions),
    relations: relationsOf(graph, id),
    ...byPeople(context.graph, id),
    chunks: chunks.length,
    documents: documents.slice(0, limits.documents),
  }
}

function byPeople(graph: GraphReader, id: string): Pick<EntityDetails, 'people'> {
  const added = ruleOf(graph, id)?.added
  if (!added) return {}
  const { n, type, description, by, at } = added
  return { people: { decision: n, type, description, by, at: new Date(at).toISOString() } }
}

interface Telling {
  readonly type: string
  readonly text: string
  readonly chunk: string
  readonly document: string
  readonly by: EntityDetails['descriptions'][number]['by']
}

function tellingsIn(graph: GraphReader, chunk: string, entity: string): readonly Telling[] {
  const document = graph.placements(chunk)[0]?.document ?? ''
  const known = knowledgeOf(graph, chunk)
  const by = known?.by === 'brought' ? 'brought' : 'model'
  const own = (known?.entities ?? []).filter((one) => one.entity === entity)
  return own.map(({ type, description }) => ({ type, text: description, chunk, document, by }))
}

function counted(types: readonly string[]): EntityDetails['types'] {
  const counts = new Map<string, number>()
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([type, chunks]) => ({ type, chunks }))
}

function distinct(told: readonly Telling[]): EntityDetails['descriptions'] {
  return [...new Map(told.map(({ text, chunk, document, by }) => [text, { text, chunk, document, by }])).values()]
}

function aliasesOf(data: unknown): readonly string[] {
  const { aliases }: { readonly aliases?: unknown } = typeof data === 'object' && data !== null ? data : {}
  return typeof aliases === 'object' && aliases !== null ? Object.keys(aliases) : []
}
