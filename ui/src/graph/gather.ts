/** Pictures of a corpus: around a node, around a question, the top of it. Mentions are drawn where an entity's name stands in a text. */

import type { Evidence, Neighbourhood, Node } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'
import { type Entities, entitiesOf, formsOf } from './entities'
import { finderOf } from './mentions'
import { mergePictures, type Picture, type PictureEdge, type PictureNode } from './picture'

const SUMMARIES = 4 // of an answer, whose members are asked for
const PASSAGES = 15 // that name an entity
const DOCUMENTS = 6 // of a neighbourhood, whose texts are looked through for names

export interface PictureRequest {
  readonly corpus: string
  readonly version: number
  readonly signal: AbortSignal
}

export async function aroundNode(wanted: PictureRequest, node: string | null, depth: number, limit: number): Promise<Picture> {
  const { corpus, signal, version } = wanted
  const [found, entities] = await Promise.all([
    corpusAt(corpus, signal).graph({ depth, limit, ...(node === null ? {} : { node }) }),
    entitiesOf(corpus, version),
  ])
  const root = found.nodes.find(({ id }) => id === node)
  const near = root?.kind === 'entity' ? await passagesNaming(wanted, root) : await names(wanted, found, entities)
  const note = found.truncated ? 'Not everything is drawn: raise the limit or open a node.' : undefined
  return mergePictures([{ ...found, ...(note ? { note } : {}) }, near])
}

/** Passages that name an entity. */
async function passagesNaming({ corpus, signal }: PictureRequest, entity: Node): Promise<Picture> {
  const { evidence } = await corpusAt(corpus, signal).search({ query: entity.text, strategy: 'keyword', top_k: PASSAGES })
  const find = finderOf([{ id: entity.id, forms: formsOf(entity) }])
  const naming = evidence.filter(({ text }) => find(text).length > 0)
  const mentions = naming.map(({ id }): PictureEdge => ({ kind: 'mentions', source: id, target: entity.id, weight: 1 }))
  const held = passages(naming)
  return { nodes: held.nodes, edges: [...held.edges, ...mentions] }
}

/** Names that stand in the chunks of a neighbourhood. A chunk is shown by its beginning; its place in the document gives the rest. */
async function names({ corpus, signal }: PictureRequest, { nodes, edges }: Neighbourhood, { find, spots }: Entities): Promise<Picture> {
  const documents = nodes.filter(({ kind }) => kind === 'document').slice(0, DOCUMENTS)
  const pictures = documents.map(async ({ id }): Promise<Picture> => {
    const { text = '' } = await corpusAt(corpus, signal).document(id)
    const inside = new Set(edges.filter(({ kind, source }) => kind === 'contains' && source === id).map(({ target }) => target))
    const begun = nodes
      .filter((node) => inside.has(node.id))
      .map((node) => ({ id: node.id, start: text.indexOf(node.text) }))
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start)
    const ties = begun.flatMap((chunk, i) => find(text.slice(chunk.start, begun[i + 1]?.start)).map((entity) => mention(chunk.id, entity)))
    return { nodes: ties.flatMap(({ target }) => spots.get(target) ?? []), edges: ties }
  })
  return mergePictures(await Promise.all(pictures))
}

const mention = (source: string, target: string): PictureEdge => ({ kind: 'mentions', source, target, weight: 1 })

/** What an answer would rest on: the evidence, where it stands, whom it names, and what its summaries sum up. */
export async function aroundQuestion(wanted: PictureRequest, query: string, strategy: string): Promise<Picture> {
  const { corpus, version, signal } = wanted
  const [{ evidence }, entities] = await Promise.all([
    corpusAt(corpus, signal).search({ query, strategy: strategy, top_k: PASSAGES }),
    entitiesOf(corpus, version),
  ])
  const question: PictureNode = { id: 'question', kind: 'question', layer: 0, text: query }
  const found = evidence.map(({ id, score }): PictureEdge => ({ kind: 'found', source: question.id, target: id, weight: score }))
  const named = evidence.flatMap(({ id, text }) => entities.find(text).map((entity) => mention(id, entity)))
  const supports = evidence.flatMap(({ id, via }): PictureEdge[] => {
    const [, of] = /^supports (\S+)$/.exec(via) ?? []
    return of === undefined ? [] : [{ kind: 'supports', source: id, target: of, weight: 1 }]
  })
  const summaries = evidence.filter(({ kind }) => kind === 'summary' || kind === 'community').slice(0, SUMMARIES)
  const members = await Promise.all(summaries.map(({ id }) => corpusAt(corpus, signal).graph({ node: id, depth: 1, limit: 40 })))
  const mentioned = [...named.map(({ target }) => target), ...evidence.map(({ id }) => id)].flatMap((id) => entities.spots.get(id) ?? [])
  return mergePictures([
    { nodes: [question], edges: found },
    passages(evidence),
    { nodes: mentioned, edges: [...named, ...supports] },
    ...members,
  ])
}

/** Evidence as nodes, each inside its chunk and document. */
function passages(evidence: readonly Evidence[]): Picture {
  return mergePictures(
    evidence.map((piece): Picture => {
      const { id, kind, layer, text, document, chunk, start, end } = piece
      const title = piece.title || document || ''
      const spot: PictureNode = {
        id,
        kind,
        layer,
        text,
        ...(document !== null && start !== null && end !== null ? { place: { document, title, start, end } } : {}),
      }
      if (document === null) return { nodes: [spot], edges: [] }
      const holder: PictureNode = { id: document, kind: 'document', layer: 0, text: title }
      if (chunk === null || chunk === id) return { nodes: [spot, holder], edges: [contains(document, id)] }
      const middle: PictureNode = { id: chunk, kind: 'chunk', layer: 0, text: `Part of ${title}` }
      return { nodes: [spot, holder, middle], edges: [contains(document, chunk), contains(chunk, id)] }
    }),
  )
}

const contains = (source: string, target: string): PictureEdge => ({ kind: 'contains', source, target, weight: 1 })
