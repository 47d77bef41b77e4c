/** GraphML (http://graphml.graphdrawing.org): documents, chunks and derived nodes; their edges, and which document contains which chunk. */
import type { ExportedRow } from '../ports/export'
import type { Writer } from './export-parts'
import type { About } from './json-lines'

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="kind" for="node" attr.name="kind" attr.type="string"/>
<key id="layer" for="node" attr.name="layer" attr.type="int"/>
<key id="text" for="node" attr.name="text" attr.type="string"/>
<key id="relation" for="edge" attr.name="kind" attr.type="string"/>
<key id="weight" for="edge" attr.name="weight" attr.type="double"/>
`

export function graphml(about: About): Writer {
  return {
    head: () => `${HEAD}<graph id="${quoted(about.corpus)}" edgedefault="directed"><desc>version ${about.version}</desc>\n`,
    row: elementOf,
    carried: () => ({}),
    next: (cursor) => `<?loam-next ${cursor}?>\n`,
    end: () => '</graph>\n</graphml>\n',
  }
}

function elementOf(row: ExportedRow): string {
  switch (row.type) {
    case 'document':
      return `${node(row.id, 'document', 0, row.title)}${placed(row.chunks)
        .map((chunk) => edge(row.id, chunk, 'contains', 1))
        .join('')}`
    case 'chunk':
      return node(row.id, 'chunk', 0, row.text)
    case 'label':
      return '' // its node follows among the others
    case 'receipt':
      return ''
    case 'node':
      return node(row.id, row.kind, row.layer, row.text)
    case 'edge':
      return edge(row.source, row.target, row.kind, row.weight)
  }
}

function placed(chunks: unknown): string[] {
  return (chunks as readonly { readonly chunk: string }[]).map(({ chunk }) => chunk)
}

function node(id: string, kind: string, layer: number, text: string): string {
  return `<node id="${quoted(id)}"><data key="kind">${kind}</data><data key="layer">${layer}</data><data key="text">${quoted(text)}</data></node>\n`
}

function edge(source: string, target: string, kind: string, weight: number): string {
  const ends = `source="${quoted(source)}" target="${quoted(target)}"`
  return `<edge ${ends}><data key="relation">${kind}</data><data key="weight">${weight}</data></edge>\n`
}

const NAMED: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}
const SPECIAL = /[&<>"\p{Cc}\p{Surrogate}\uFFFE\uFFFF]/gu // XML 1.0 does not allow most control characters

function quoted(text: string): string {
  return text.replace(SPECIAL, (character) => NAMED[character] ?? '\uFFFD')
}
