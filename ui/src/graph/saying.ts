/** The sentence behind an edge: looked up when the edge is selected, in the chunks that name both its ends. */
import { collected, type Node } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'
import { formsOf } from './entities'
import { nameOf } from './namesakes'
import type { PictureEdge, PictureNode, Said } from './picture'
import { sentenceNaming } from './sentence'

const READ = 400 // nodes around an end
const TRIED = 5 // chunks that name both
const MAX_CHUNKS = 1000 // of a document

/** Edges that words in a document state. */
export const isSaid = ({ kind, said }: PictureEdge): boolean => said !== undefined || kind === 'relates' || kind === 'mentions'

interface Wanted {
  readonly corpus: string
  readonly edge: PictureEdge
  readonly nodes: ReadonlyMap<string, PictureNode>
  readonly signal: AbortSignal
}

/** Null if no sentence is found. */
export async function sayingOf({ corpus, edge, nodes, signal }: Wanted): Promise<Said | null> {
  if (edge.said) return edge.said
  const [source, target] = [nodes.get(edge.source), nodes.get(edge.target)]
  if (!source || !target || !isSaid(edge)) return null
  const there = corpusAt(corpus, signal)
  const around = (node: string) => there.graph({ node, depth: 1, limit: READ })
  if (edge.kind === 'mentions') {
    const [document, entity] = source.kind === 'document' ? [source, target] : [target, source]
    const { nodes: near } = await around(entity.id)
    const found = near.find(({ id }) => id === entity.id)
    return inDocument(corpus, document, { entities: [entity.id], forms: [found ? formsOf(found) : [nameOf(entity)]], signal })
  }
  const [one, other] = await Promise.all([around(source.id), around(target.id)])
  const isChunk = ({ kind }: { readonly kind: string }) => kind === 'chunk'
  const both = one.nodes.filter(isChunk).filter(({ id }) => other.nodes.some((node) => node.id === id))
  const forms = [one, other].map(({ nodes: near }, i) => {
    const end = near.find(({ id }) => id === (i === 0 ? source.id : target.id))
    return end ? formsOf(end) : []
  })
  const tried = new Map<string, { readonly document: Node; readonly chunks: string[] }>() // a document's chunks are read once
  for (const { id } of both.slice(0, TRIED)) {
    const document = (await around(id)).nodes.find(({ kind }) => kind === 'document')
    if (!document) continue
    const known = tried.get(document.id)
    if (known) known.chunks.push(id)
    else tried.set(document.id, { document, chunks: [id] })
  }
  for (const { document, chunks } of tried.values()) {
    const said = await inDocument(corpus, document, { chunks, forms, signal })
    if (said) return said
  }
  return null
}

interface Looked {
  /** The chunks to check, or the entities that they must mention. */
  readonly chunks?: readonly string[]
  readonly entities?: readonly string[]
  readonly forms: readonly (readonly string[])[]
  readonly signal: AbortSignal
}

async function inDocument(
  corpus: string,
  { id, text: title }: Pick<PictureNode, 'id' | 'text'>,
  { chunks, entities = [], forms, signal }: Looked,
): Promise<Said | null> {
  const { data } = await collected((paging) => corpusAt(corpus, signal).chunks(id, paging), MAX_CHUNKS)
  for (const one of data) {
    if (chunks && !chunks.includes(one.chunk)) continue
    if (!entities.every((wanted) => one.entities.some((entity) => entity.id === wanted))) continue
    const span = sentenceNaming(one.text, forms)
    if (span) {
      const { start, end } = span
      return { document: id, title, start: one.start + start, end: one.start + end, quote: one.text.slice(start, end) }
    }
  }
  return null
}
