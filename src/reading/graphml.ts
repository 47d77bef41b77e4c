/** GraphML as documents: one for each node, with its data and a line for each of its edges. NetworkX and LightRAG write such files. */
import { MAX_TEXT } from '../contract/document-limits'
import type { ReadBounds } from './bounds'
import { type ExportedDocument, fitting, MAX_DOCUMENTS, tooLarge } from './exports/exported'
import { readXml } from './office/xml'
import { Unreadable } from './unreadable'

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
    return fitting(document, where, bounds, budget)
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

function readGraph(xml: string): { readonly nodes: readonly Node[]; readonly edges: readonly Edge[] } {
  const names = new Map<string, string>()
  const nodes: Node[] = []
  const edges: Edge[] = []
  let data: Data = {} // of the node or edge opened last
  let [key, text] = ['', '']
  readXml(xml, {
    open(name, { id = '', source = '', target = '', key: of = '', ...attributes }) {
      if (name === 'node' || name === 'edge') data = Object.create(null)
      if (name === 'key') names.set(id, attributes['attr.name'] ?? id)
      else if (name === 'node') nodes.push({ id, data })
      else if (name === 'edge') edges.push({ source, target, data })
      else if (name === 'data') [key, text] = [of, '']
    },
    text(more) {
      text += more
    },
    close(name) {
      if (name === 'data') data[names.get(key) ?? key] = text.trim()
    },
  })
  return { nodes, edges }
}

const first = (data: Data, names: readonly string[]): string | undefined => names.map((name) => data[name]).find((value) => value)
const linesOf = (text: string): readonly string[] =>
  text
    .split(SEPARATOR)
    .map((line) => line.trim())
    .filter(Boolean)

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
