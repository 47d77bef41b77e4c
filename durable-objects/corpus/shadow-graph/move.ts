/**
 * The move of a corpus to another embedding model: what that model has to embed (every chunk of the served graph, the pinned probes, the
 * labelled texts), and what it has embedded. Its tasks have their own names and belong to the job that moves the corpus.
 */
import type { Chunk, DocumentRecord, Vector } from '../../../src/core/graph/types'
import { fingerprint } from '../../../src/core/ids'
import { embeddingModelOf } from '../../../src/core/settings'
import { readText, SPACE, writeVector } from '../../../src/core/strategies/gorag/rows'
import { enabledBuilders } from '../../../src/core/strategies/registry'
import type { Brief, Reply } from '../../../src/core/strategy'
import { bytesOf, packVectors } from '../../graph/rows'
import type { Job } from '../jobs/job'
import { embedInput } from '../jobs/staging'
import { addTasks } from '../jobs/tasks'
import { isComparing, recordDiffering } from '../outbox/differing'
import { isMigrating, requestedConfig } from '../pending-config'
import type { CorpusContext } from '../store'
import { readMoveUnderway } from '../tables/job'
import { listProbesNotMoved, readProbe, setProbeMoved } from '../tables/probe'
import { MOVERS, type TaskRow } from '../tables/task'
import { deleteVectorless, insertVectorless } from '../tables/vectorless'
import { listUnmovedAfter, listUnmovedAmong, putMovedVectors } from './moved-texts'
import { withCandidate } from './with-candidate'

const PAGE = 500 // labelled texts checked together

/** A chunk's texts as they are embedded: passages under its title, sentences under its name. */
export function chunkTexts(chunk: Chunk, wanted: { readonly passages: boolean; readonly units: boolean }): string[] {
  const slice = (span: { start: number; end: number }): string => chunk.text.slice(span.start, span.end)
  const titled = chunk.title ? `${chunk.title}\n` : ''
  const named = chunk.name ? `${chunk.name}: ` : ''
  return [
    ...(wanted.passages ? chunk.passages.map((span) => titled + slice(span)) : []),
    ...(wanted.units ? chunk.units.map((span) => named + slice(span)) : []),
  ]
}

export function movesUnits(context: CorpusContext): boolean {
  return enabledBuilders(requestedConfig(context).strategies).some((builder) => builder.unitVectors)
}

/** Does the move wait only for the latest additions? Then these go first, so that the move ends although documents keep coming. */
export function isMoveClosing(sql: CorpusContext['sql']): boolean {
  const underway = readMoveUnderway(sql)
  if (!underway?.progress) return false
  const { step, next } = JSON.parse(underway.progress) as { readonly step: string; readonly next?: string }
  return step === 'promote' || (step === 'settle' && next === 'promote')
}

/** Requests vectors for these chunks; chunks that have some get new ones. */
export function askForChunks(context: CorpusContext, job: Job, chunks: readonly Chunk[]): void {
  const { settings } = requestedConfig(context)
  const units = movesUnits(context)
  const tasks = chunks.map((chunk) => ({
    builder: MOVERS.chunk,
    kind: 'embed' as const,
    node: chunk.id,
    input: embedInput(chunk.id, settings),
    urgent: true,
    texts: chunk.passages.length + (units ? chunk.units.length : 0),
  }))
  addTasks(context.sql, tasks, [job])
}

/** The next chunks that lack their vectors, after an id. Returns the last of them; undefined: there are no more. */
export function askForNextChunks(context: CorpusContext, job: Job, after: string, limit: number): string | undefined {
  const ids = listUnmovedAfter(context.sql, after, limit)
  askForChunks(
    context,
    job,
    ids.flatMap((id) => context.graph.chunk(id) ?? []),
  )
  return ids.at(-1)
}

/** Requests vectors for probes and labelled texts that lack them. False: none does. */
export function askForQuestions(context: CorpusContext, job: Job): boolean {
  const { settings } = requestedConfig(context)
  const model = `${embeddingModelOf(settings)?.id} ${settings.dimensions}`
  const task = { kind: 'embed' as const, urgent: true }
  const probes = listProbesNotMoved(context.sql).map(({ n, query }) => ({
    ...task,
    builder: MOVERS.probe,
    node: String(n),
    input: probeInput(query),
  }))
  const labels = labelledTextsNotMoved(context).map((key) => ({
    ...task,
    builder: MOVERS.label,
    node: key,
    input: fingerprint(key, model),
  }))
  addTasks(context.sql, [...probes, ...labels], [job])
  return probes.length + labels.length > 0
}

/** Probes that are pinned again start at the same numbers. */
const probeInput = (query: string): string => fingerprint('probe', query)

/** Keys of GORAG's texts that have a vector from the served model and none from the other. */
function labelledTextsNotMoved(context: CorpusContext): readonly string[] {
  const lacking: string[] = []
  for (let after = ''; ; ) {
    const page = context.graph.values(SPACE.text, after, PAGE).map((row) => row.key)
    const last = page.at(-1)
    if (last === undefined) return lacking
    const served = context.graph.valuesOf(SPACE.vector, page)
    const own = withCandidate(context, (candidate) => candidate.graph.valuesOf(SPACE.vector, page))
    lacking.push(...page.filter((_, i) => served[i] !== undefined && own[i] === undefined))
    after = `${last}\0`
  }
}

/** What to embed; undefined: it is no longer there. */
export function moveBrief(context: CorpusContext, { builder, node, input }: TaskRow): Brief | undefined {
  if (!isMigrating(context)) return undefined
  if (builder === MOVERS.chunk) {
    const chunk = context.graph.chunk(node)
    return chunk && { kind: 'embed', texts: chunkTexts(chunk, { passages: true, units: movesUnits(context) }) }
  }
  const text = builder === MOVERS.probe ? probeText(context, node, input) : labelledText(context, node)
  return text === undefined ? undefined : { kind: 'embed', texts: [text] }
}

function probeText({ sql }: CorpusContext, n: string, input: string): string | undefined {
  const query = readProbe(sql, Number(n))?.query
  return query !== undefined && probeInput(query) === input ? query : undefined
}

function labelledText({ graph }: CorpusContext, key: string): string | undefined {
  const row = graph.value(SPACE.text, key)
  return row === undefined ? undefined : readText(row).text
}

/**
 * Accepts what was embedded. A text for which the model has no vector gets one of zeros, as when documents are added: words find it, and
 * when the corpus has moved its document says so (indexing/quarantine.ts). `refused`: how many such texts there are.
 */
export function receiveMove(context: CorpusContext, row: TaskRow, reply: Reply, refused: number): void {
  if (!isMigrating(context)) return
  const { dimensions } = requestedConfig(context).settings
  const vectors = reply.kind === 'embed' ? reply.vectors : []
  const vectorAt = (i: number): Vector => vectors[i] ?? new Int8Array(dimensions)
  if (row.builder === MOVERS.chunk) {
    receiveChunk(context, row.node, vectors, dimensions)
    if (refused > 0 || reply.kind !== 'embed') insertVectorless(context.sql, row.node)
    else deleteVectorless(context.sql, [row.node])
  }
  if (row.builder === MOVERS.label) {
    if (labelledText(context, row.node) === undefined) return
    const value = writeVector(vectorAt(0))
    withCandidate(context, ({ graph }) => graph.apply([{ op: 'put-value', space: SPACE.vector, key: row.node, value }], graph.version))
  }
  if (row.builder === MOVERS.probe && probeText(context, row.node, row.input) !== undefined) {
    setProbeMoved(context.sql, Number(row.node), bytesOf(vectorAt(0)))
  }
}

function receiveChunk(context: CorpusContext, id: string, vectors: readonly Vector[], dimensions: number): void {
  const { sql, graph } = context
  const chunk = graph.chunk(id)
  if (!chunk) return
  const vectorAt = (i: number): Vector => vectors[i] ?? new Int8Array(dimensions)
  const count = chunk.passages.length
  const passages = chunk.passages.map((_, i) => vectorAt(i))
  const units = movesUnits(context) ? chunk.units.map((_, i) => vectorAt(count + i)) : []
  putMovedVectors(sql, id, packVectors(passages, dimensions), packVectors(units, dimensions))
  if (isComparing(context)) recordDiffering(context, [['c', id, count]])
}

/** Those of these documents whose chunks all have their vectors. */
export function movedDocuments({ sql }: CorpusContext, documents: readonly DocumentRecord[]): DocumentRecord[] {
  const chunks = documents.flatMap((document) => document.chunks.map((placed) => placed.chunk))
  const lacking = new Set(listUnmovedAmong(sql, [...new Set(chunks)]))
  return documents.filter((document) => document.chunks.every((placed) => !lacking.has(placed.chunk)))
}
