/** GraphML as documents: one for each node, with what its data say and a line for each of its edges. NetworkX and LightRAG write such files. */
import type { SourceDocument } from '../documents'
import { Failure } from '../failure'
import { readElements } from './xml'

const NAMES = ['label', 'name', 'title', 'entity_id', 'entity_name', 'id']
const TEXTS = ['description', 'text', 'content', 'summary', 'd', 'desc']
const RELATIONS = ['relation', 'relationship', 'keywords', 'type', 'label', 'kind']
const SEPARATOR = '<SEP>' // LightRAG's, between descriptions from several places
const LEFT_OUT = new Set(['source_id', 'file_path', 'created_at', 'truncate'])

type Data = { [name: string]: string }

interface Node {
  readonly id: string
  readonly data: Data
}

interface Edge {
  readonly source: string
  readonly target: string
  readonly data: Data
}

export function readGraphml(xml: string, { id }: { readonly id: string }): readonly SourceDocument[] {
  const { nodes, edges } = readGraph(xml)
  const kinds = new Set(nodes.map(({ data }) => data.kind))
  if (kinds.has('chunk') && kinds.has('document'))
    throw new Failure('this GraphML is an export of Loam, made for graph tools; what comes back is `loam export --format jsonl`')
  const names = new Map(nodes.map((node) => [node.id, first(node.data, NAMES) ?? node.id]))
  const nameOf = (node: string): string => names.get(node) ?? node
  const around = new Map<string, Edge[]>(nodes.map((node) => [node.id, []]))
  for (const edge of edges) for (const end of new Set([edge.source, edge.target])) around.get(end)?.push(edge)
  return nodes.map((node) => ({
    id: `${id}#${node.id}`,
    title: nameOf(node.id),
    text: [nameOf(node.id), ...describe(node.data), ...(around.get(node.id) ?? []).map((edge) => formatRelation(edge, nameOf))].join(
      '\n\n',
    ),
    metadata: { source: 'graphml', node: node.id },
  }))
}

function readGraph(xml: string): { readonly nodes: readonly Node[]; readonly edges: readonly Edge[] } {
  const names = new Map<string, string>()
  const nodes: Node[] = []
  const edges: Edge[] = []
  let data: Data = {} // of the node or edge that was opened last
  for (const { name, attributes, text } of readElements(xml)) {
    const { id = '', source = '', target = '', key = '' } = attributes
    if (name === 'node' || name === 'edge') data = {}
    if (name === 'key') names.set(id, attributes['attr.name'] ?? id)
    else if (name === 'node') nodes.push({ id, data })
    else if (name === 'edge') edges.push({ source, target, data })
    else if (name === 'data') data[names.get(key) ?? key] = text.trim()
  }
  return { nodes, edges }
}

const first = (data: Data, names: readonly string[]): string | undefined => names.map((name) => data[name]).find((value) => value)
const linesOf = (text: string): readonly string[] =>
  text
    .split(SEPARATOR)
    .map((line) => line.trim())
    .filter(Boolean)

/** Its description, else whatever is known of it. */
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
