/** GraphML's nodes and edges with their data, under the names that the file declares. */
import { readXml } from './office/xml'

export type Data = { [name: string]: string }

export interface Node {
  readonly id: string
  readonly data: Data
}

export interface Edge {
  readonly source: string
  readonly target: string
  readonly data: Data
}

export function readGraph(xml: string): { readonly nodes: readonly Node[]; readonly edges: readonly Edge[] } {
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
