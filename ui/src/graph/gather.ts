/** Pictures of a corpus: around a node, around a question. Raw texts are not drawn: their content is on the edges. */

import type { Evidence, Node } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'
import { formsOf } from './entities'
import { finderOf } from './mentions'
import { mergePictures, type Picture, type PictureEdge, type PictureNode, type Said } from './picture'
import { nearest, withoutChunks } from './readable'
import { sentenceNaming } from './sentence'

const READ = 400 // nodes that are read to find the closest
const PASSAGES = 15 // that name an entity, or answer a question
const CHUNKS = 8 // in an answer, whose names are requested
const NAMES = 60 // in a chunk

export interface PictureRequest {
  readonly corpus: string
  readonly signal: AbortSignal
}

/** `most`: how many names at most. */
export async function aroundNode(wanted: PictureRequest, node: string, most: number): Promise<Picture> {
  const found = await corpusAt(wanted.corpus, wanted.signal).graph({ node, depth: 2, limit: READ })
  const root = found.nodes.find(({ id }) => id === node)
  const near = withoutChunks(found, node)
  const naming = root?.kind === 'entity' ? await documentsNaming(wanted, root, found.truncated ? null : chunksAt(found)) : null
  const { picture, left } = nearest(naming ? mergePictures([near, naming]) : near, node, most)
  const note = left > 0 || found.truncated ? `${left > 0 ? left : 'Some'} more are connected to it but not drawn.` : ''
  return { ...picture, ...(note ? { note } : {}) }
}

const chunksAt = ({ nodes }: Picture): ReadonlySet<string> => new Set(nodes.filter(({ kind }) => kind === 'chunk').map(({ id }) => id))

/** Documents that name an entity, each with the sentence. `among`: chunks that mention it, so that its namesake's are left out. */
async function documentsNaming({ corpus, signal }: PictureRequest, entity: Node, among: ReadonlySet<string> | null): Promise<Picture> {
  const { evidence } = await corpusAt(corpus, signal).search({ query: entity.text, strategy: 'keyword', top_k: PASSAGES })
  const forms = formsOf(entity)
  const said = evidence
    .filter(({ chunk }) => among === null || (chunk !== null && among.has(chunk)))
    .flatMap((piece) => saidIn(piece, [forms]) ?? [])
  const edges = said.map((one): PictureEdge => ({ kind: 'mentions', source: one.document, target: entity.id, weight: 1, said: one }))
  return { nodes: [entity, ...said.map(documentOf)], edges }
}

/** The first sentence in a piece that contains all the names. */
function saidIn({ document, title, start, text }: Evidence, forms: readonly (readonly string[])[]): Said | null {
  const span = document === null || start === null ? null : sentenceNaming(text, forms)
  if (!span || document === null || start === null) return null
  const quote = text.slice(span.start, span.end)
  return { document, title: title || document, start: start + span.start, end: start + span.end, quote }
}

const documentOf = ({ document, title }: Pick<Said, 'document' | 'title'>): PictureNode => ({
  id: document,
  kind: 'document',
  layer: 0,
  text: title,
})

/** What an answer would rest on: the documents that say it, the entities named there, and the summaries of them. */
export async function aroundQuestion(wanted: PictureRequest, query: string, strategy: string): Promise<Picture> {
  const { corpus, signal } = wanted
  const there = corpusAt(corpus, signal)
  const { evidence } = await there.search({ query, strategy, top_k: PASSAGES })
  const chunks = [...new Set(evidence.flatMap(({ chunk }) => chunk ?? []))].slice(0, CHUNKS)
  const around = await Promise.all(chunks.map((node) => there.graph({ node, depth: 1, limit: NAMES })))
  const entities = new Map(around.flatMap(({ nodes }) => nodes.filter(({ kind }) => kind === 'entity').map((node) => [node.id, node])))
  const find = finderOf([...entities.values()].map((node) => ({ id: node.id, forms: formsOf(node) })))
  const question: PictureNode = { id: 'question', kind: 'question', layer: 0, text: query }
  const asked = find(query).map((target): PictureEdge => ({ kind: 'names', source: question.id, target, weight: 1 }))
  return mergePictures([
    { nodes: [question, ...find(query).flatMap((id) => entities.get(id) ?? [])], edges: asked },
    ...evidence.map((piece): Picture => ofPiece(piece, question, find, entities)),
  ])
}

function ofPiece(
  piece: Evidence,
  question: PictureNode,
  find: (text: string) => readonly string[],
  entities: ReadonlyMap<string, Node>,
): Picture {
  const { id, kind, layer, text, document, score, start, end, title } = piece
  const found = (target: string, said?: Said): PictureEdge => ({
    kind: 'found',
    source: question.id,
    target,
    weight: score,
    ...(said ? { said } : {}),
  })
  if (document === null || start === null || end === null) return { nodes: [{ id, kind, layer, text }], edges: [found(id)] }
  const whole: Said = { document, title: title || document, start, end, quote: text }
  const named = find(text).flatMap((name) => entities.get(name) ?? [])
  const mentions = named.map((entity): PictureEdge => {
    const said = saidIn(piece, [formsOf(entity)])
    return { kind: 'mentions', source: document, target: entity.id, weight: 1, ...(said ? { said } : {}) }
  })
  const [, of] = /^supports (\S+)$/.exec(piece.via) ?? []
  const supports: PictureEdge[] = of === undefined ? [] : [{ kind: 'supports', source: document, target: of, weight: 1, said: whole }]
  return { nodes: [documentOf(whole), ...named], edges: [found(document, whole), ...mentions, ...supports] }
}
