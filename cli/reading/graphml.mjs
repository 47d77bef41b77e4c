/** GraphML as documents: one for each node, with what its data say and a line for each of its edges. NetworkX and LightRAG write such files. */
import { Failure } from '../failure.mjs'
import { elementsOf } from './epub.mjs'

const NAMES = ['label', 'name', 'title', 'entity_id', 'entity_name', 'id']
const TEXTS = ['description', 'text', 'content', 'summary', 'd', 'desc']
const RELATIONS = ['relation', 'relationship', 'keywords', 'type', 'label', 'kind']
const SEPARATOR = '<SEP>' // LightRAG's, between descriptions from several places
const LEFT_OUT = new Set(['source_id', 'file_path', 'created_at', 'truncate'])

export function graphml(xml, { id }) {
  const { nodes, edges } = graphOf(xml)
  const kinds = new Set(nodes.map(({ data }) => data.kind))
  if (kinds.has('chunk') && kinds.has('document'))
    throw new Failure('this GraphML is an export of Loam, made for graph tools; what comes back is `loam export --format jsonl`')
  const nameOf = new Map(nodes.map((node) => [node.id, first(node.data, NAMES) ?? node.id]))
  const around = new Map(nodes.map((node) => [node.id, []]))
  for (const edge of edges) for (const end of new Set([edge.source, edge.target])) around.get(end)?.push(edge)
  return nodes.map((node) => ({
    id: `${id}#${node.id}`,
    title: nameOf.get(node.id),
    text: [nameOf.get(node.id), ...described(node.data), ...(around.get(node.id) ?? []).map((edge) => relation(edge, nameOf))].join('\n\n'),
    metadata: { source: 'graphml', node: node.id },
  }))
}

function graphOf(xml) {
  const names = new Map()
  const [nodes, edges] = [[], []]
  let data = {} // of the node or edge that was opened last
  for (const { name, attributes, text } of elementsOf(xml)) {
    if (name === 'node' || name === 'edge') data = {}
    if (name === 'key') names.set(attributes.id, attributes['attr.name'] ?? attributes.id)
    else if (name === 'node') nodes.push({ id: attributes.id, data })
    else if (name === 'edge') edges.push({ source: attributes.source, target: attributes.target, data })
    else if (name === 'data') data[names.get(attributes.key) ?? attributes.key] = text.trim()
  }
  return { nodes, edges }
}

const first = (data, names) => names.map((name) => data[name]).find((value) => value)
const lines = (text) =>
  text
    .split(SEPARATOR)
    .map((line) => line.trim())
    .filter(Boolean)

/** Its description, else whatever is known of it. */
function described(data) {
  const text = first(data, TEXTS)
  if (text) return lines(text)
  const known = Object.entries(data).filter(([name, value]) => value && !NAMES.includes(name) && !LEFT_OUT.has(name))
  return known.map(([name, value]) => `${name}: ${value}`)
}

function relation({ source, target, data }, nameOf) {
  const word = first(data, RELATIONS)
  const says = first(data, TEXTS)
  const ends = `${nameOf.get(source) ?? source} – ${word ? `${word} – ` : ''}${nameOf.get(target) ?? target}`
  return says ? `${ends}: ${lines(says).join(' ')}` : ends
}
