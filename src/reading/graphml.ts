/** GraphML as documents: one for each node, with its data and a line for each of its edges. NetworkX and LightRAG write such files. */
import { graphLimits } from '../contract/brought'
import { MAX_TEXT } from '../contract/document-limits'
import { nameKey } from '../core/text/names'
import type { ReadBounds } from './bounds'
import { type ExportedDocument, fitting, MAX_DOCUMENTS, tooLarge } from './exports/exported'
import { fittedGraph } from './exports/peer-graph'
import { type Data, type Edge, type Node, readGraph } from './graphml-rows'
import { Unreadable } from './unreadable'

const NAMES = ['label', 'name', 'title', 'entity_id', 'entity_name', 'id']
const TEXTS = ['description', 'text', 'content', 'summary', 'd', 'desc']
const RELATIONS = ['relation', 'relationship', 'keywords', 'type', 'label', 'kind']
const SEPARATOR = '<SEP>' // LightRAG's, between descriptions from several places
const TYPES = ['entity_type', 'type', 'kind', 'category', 'class']
const LEFT_OUT = new Set(['source_id', 'file_path', 'created_at', 'truncate'])

/** `name`: the file's; a node's document is `name#node`. */
export function readGraphml(xml: string, name: string, bounds: ReadBounds): readonly ExportedDocument[] {
  const { nodes, edges } = readGraph(xml)
  const kinds = new Set(nodes.map(({ data }) => data.kind))
  if (kinds.has('chunk') && kinds.has('document'))
    throw new Unreadable(
      'unsupported',
      'This GraphML is an export of Loam for graph tools. To import a corpus again, use `loam export --format jsonl`.',
    )
  if (nodes.length === 0) throw new Unreadable('broken', 'This file is not GraphML, or has no nodes.')
  if (nodes.length > MAX_DOCUMENTS && !bounds.isTrusted) throw tooLarge(`more than ${MAX_DOCUMENTS} nodes`)
  const names = new Map(nodes.map((node) => [node.id, first(node.data, NAMES) ?? node.id]))
  const nameOf = (node: string): string => names.get(node) ?? node
  const around = new Map<string, Edge[]>(nodes.map((node) => [node.id, []]))
  for (const edge of edges) for (const end of new Set([edge.source, edge.target])) around.get(end)?.push(edge)
  const budget = { left: bounds.unpacked }
  return nodes.map((node, i) => {
    const where = `node ${i + 1}`
    const text = joined(textsOf(node, around.get(node.id) ?? [], nameOf), where, bounds)
    const document = { path: `${name}#${node.id}`, title: nameOf(node.id), text, metadata: { source: 'graphml', node: node.id } }
    const graph = graphOf(node, around.get(node.id) ?? [], nameOf)
    return { ...fitting(document, where, bounds, budget), ...graph }
  })
}

function* textsOf(node: Node, edges: readonly Edge[], nameOf: (node: string) => string): Generator<string> {
  yield nameOf(node.id)
  yield* describe(node.data)
  for (const edge of edges) yield formatRelation(edge, nameOf)
}

/** Many edges, each written for both its ends, may be much longer than the file: the length is known before the text is built. */
function joined(texts: Iterable<string>, where: string, bounds: ReadBounds): string {
  const parts: string[] = []
  let length = 0
  for (const text of texts) {
    length += text.length + 2
    if (length > bounds.text) throw tooLarge(`a text, with its relations, of more than ${MAX_TEXT} characters`, where)
    parts.push(text)
  }
  return parts.join('\n\n')
}

const first = (data: Data, names: readonly string[]): string | undefined => names.map((name) => data[name]).find((value) => value)
const linesOf = (text: string): readonly string[] =>
  text
    .split(SEPARATOR)
    .map((line) => line.trim())
    .filter(Boolean)

/** The node and the edges that begin at it: one that is written for both its ends is taken over once. */
function graphOf(node: Node, edges: readonly Edge[], nameOf: (node: string) => string): Pick<ExportedDocument, 'graph'> {
  const short = (text: string, max: number): string => text.slice(0, max)
  const isName = (name: string): boolean => nameKey(name) !== '' && name.length <= graphLimits.name
  const told = (data: Data): string => short(linesOf(first(data, TEXTS) ?? '').join(' '), graphLimits.description)
  const name = nameOf(node.id)
  if (!isName(name)) return {}
  const relations = edges.flatMap(({ source, target, data }) => {
    const other = nameOf(target)
    if (source !== node.id || !isName(other) || nameKey(other) === nameKey(name)) return []
    const description = told(data) || short(first(data, RELATIONS) ?? '', graphLimits.description)
    return [{ source: name, target: other, description, strength: strengthOf(data) }]
  })
  const entity = { name, type: short(first(node.data, TYPES) ?? '', graphLimits.type), description: told(node.data) }
  const graph = fittedGraph({ entities: [entity], relations: relations.slice(0, graphLimits.relations) })
  return graph ? { graph } : {}
}

function strengthOf({ weight, strength }: Data): number {
  const given = Number(strength ?? weight)
  return given > 0 ? Math.min(graphLimits.strength, Math.max(1, given)) : 5
}

/** Its description, or else whatever is known about it. */
function describe(data: Data): readonly string[] {
  const text = first(data, TEXTS)
  if (text) return linesOf(text)
  const known = Object.entries(data).filter(([name, value]) => value && !NAMES.includes(name) && !LEFT_OUT.has(name))
  return known.map(([name, value]) => `${name}: ${value}`)
}

function formatRelation({ source, target, data }: Edge, nameOf: (node: string) => string): string {
  const word = first(data, RELATIONS)
  const text = first(data, TEXTS)
  const ends = `${nameOf(source)} – ${word ? `${word} – ` : ''}${nameOf(target)}`
  return text ? `${ends}: ${linesOf(text).join(' ')}` : ends
}
