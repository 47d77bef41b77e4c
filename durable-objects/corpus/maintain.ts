/**
 * Work on the whole corpus, in slices, one per turn of the alarm's loop: reindex (derive the graph of some strategies again),
 * rebuild (all of them, and tell every sink everything), consolidate. (`drop` is in drop.ts.) Each slice is one transaction that also records how
 * far it got, so that a crash repeats nothing. O(corpus) by nature: it is asked for, never part of a document's job.
 */
import type { Change, Chunk, DerivedKind, DocumentRecord } from '../../src/core/graph/types'
import { enabledBuilders, strategies } from '../../src/core/strategies/registry'
import type { Builder } from '../../src/core/strategy'
import type { Accepted, JobKind } from '../../src/ports'
import { BASE, newJobId, type Revision, restage, unstage } from './accept'
import { unname } from './bill'
import { runBuilders } from './commit'
import { type Book, type Job, openBook, recordTouched, unfinished } from './jobs'
import { fillOutbox } from './outbox'
import { keepReceipt } from './receipts'
import { type Ledger, next } from './store'
import { addTasks, type TaskRow } from './tasks'

export type Maintenance = 'reindex' | 'consolidate' | 'rebuild' | 'drop'

const KINDS: ReadonlySet<JobKind> = new Set(['reindex', 'consolidate', 'rebuild'])
const DOCUMENTS = 32 // documents per slice: about as many chunks as a commit of ingestion takes in

interface Progress {
  readonly step: 'vectors' | 'await' | 'wipe' | 'feed' | 'consolidate'
  readonly after: string
  readonly builders: readonly string[]
}

export function maintain(ledger: Ledger, kind: Maintenance, only?: readonly string[]): Accepted {
  return ledger.atomically(() => {
    const book = openBook(ledger.sql, ledger.now())
    const chosen = only ? enabledBuilders(only.filter((name) => strategies.has(name))) : ledger.builders
    const here = new Set(ledger.builders.map((one) => one.name))
    const builders = withFollowers(ledger.builders, new Set(chosen.map((one) => one.name).filter((name) => here.has(name))))
    const job = book.create({ id: newJobId(), kind, created: ledger.now(), upto: 0, deletes: [] })
    job.waiting = 1
    job.progress = JSON.stringify({ step: kind === 'consolidate' ? 'consolidate' : 'vectors', after: '', builders } satisfies Progress)
    next(ledger.sql, 'accepted')
    book.save()
    return { kind: 'accepted', job: job.id, documents: [] }
  })
}

/** Whoever follows a builder that is derived anew is derived anew too: it may have added to what the other wrote. In registry order. */
function withFollowers(builders: readonly Builder[], chosen: ReadonlySet<string>): string[] {
  const names = new Set(chosen)
  for (const builder of builders) if (builder.follows?.some((name) => names.has(name))) names.add(builder.name)
  return builders.map((one) => one.name).filter((name) => names.has(name))
}

export function maintenanceOpen(ledger: Ledger): boolean {
  return unfinished(ledger.sql).some((job) => KINDS.has(job.kind) && job.phase === 'staging')
}

/** One slice of the oldest maintenance job. False when there is nothing to do now. */
export function workOnce(ledger: Ledger): boolean {
  const open = unfinished(ledger.sql).find((job) => KINDS.has(job.kind) && job.phase === 'staging')
  if (!open?.progress) return false
  const progress = JSON.parse(open.progress) as Progress
  return ledger.atomically(() => {
    const book = openBook(ledger.sql, ledger.now())
    const job = book.find(open.n)
    if (!job) return false
    if (progress.step === 'await' && job.open > 0) return false
    if (job.status === 'queued') job.status = 'running'
    const after = slice(ledger, book, job, progress)
    if (after) job.progress = JSON.stringify(after)
    else {
      job.waiting = 0
      job.phase = 'settling'
      job.progress = null
    }
    book.save()
    return true
  })
}

/** Does a slice and says where the next begins; undefined when all is done. */
function slice(ledger: Ledger, book: Book, job: Job, progress: Progress): Progress | undefined {
  switch (progress.step) {
    case 'vectors':
      return askForVectors(ledger, job, progress)
    case 'await':
      return { ...progress, step: 'wipe', after: '' }
    case 'wipe':
      wipe(ledger, job, progress.builders)
      return { ...progress, step: 'feed', after: '' }
    case 'feed':
      return feed(ledger, book, job, progress)
    case 'consolidate':
      return consolidate(ledger, job, progress)
  }
}

/** Chunks embedded before any builder wanted their sentences' vectors are asked for them now. */
function askForVectors(ledger: Ledger, job: Job, progress: Progress): Progress {
  const { graph, config } = ledger
  if (!ledger.builders.some((builder) => builder.unitVectors)) return { ...progress, step: 'wipe', after: '' }
  const ids = graph.page('chunk', progress.after, 500)
  const lacking = ids.map((id) => graph.chunk(id)).filter((chunk): chunk is Chunk => lacksUnits(ledger, chunk))
  const tasks = lacking.map((chunk) => ({
    builder: BASE,
    kind: 'embed' as const,
    node: chunk.id,
    input: `${chunk.id} ${config.settings.models} units`,
    urgent: true,
  }))
  addTasks(ledger.sql, tasks, [job])
  const last = ids.at(-1)
  return last === undefined ? { ...progress, step: 'await', after: '' } : { ...progress, after: last }
}

function lacksUnits(ledger: Ledger, chunk: Chunk | undefined): boolean {
  const first = chunk?.units[0]
  return first !== undefined && ledger.graph.vector(first.id) === undefined
}

function wipe(ledger: Ledger, job: Job, names: readonly string[]): void {
  const { graph, sql } = ledger
  const changes: Change[] = []
  for (const builder of ledger.builders.filter((one) => names.includes(one.name))) {
    changes.push(...wipeChanges(ledger, builder))
    for (const { n } of sql.all<TaskRow>('SELECT * FROM task WHERE builder = ?', builder.name)) sql.run('DELETE FROM task WHERE n = ?', n)
    graph.wipe({ kinds: builder.builds, spaces: [builder.name], edges: builder.edges ?? [] })
  }
  publish(ledger, [job], changes)
}

/** What the sinks must forget. The rows themselves go in bulk. */
function wipeChanges(ledger: Ledger, builder: Builder): Change[] {
  const changes: Change[] = []
  for (const kind of builder.builds) for (const id of everyNode(ledger, kind)) changes.push({ op: 'drop-node', id })
  return changes
}

function* everyNode(ledger: Ledger, kind: DerivedKind): Generator<string> {
  for (let after = ''; ; ) {
    const ids = ledger.graph.page(kind, after, 1000)
    yield* ids
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
  }
}

/** Gives builders the documents of one page as if they had just arrived. */
function feed(ledger: Ledger, book: Book, job: Job, progress: Progress): Progress | undefined {
  const { graph } = ledger
  const ids = graph.page('document', progress.after, DOCUMENTS)
  const last = ids.at(-1)
  if (last === undefined) return undefined
  const documents = ids.map((id) => graph.document(id)).filter((one): one is DocumentRecord => one !== undefined)
  const chunks = [...new Set(documents.flatMap((document) => owned(ledger, document)))]
  const added = chunks.map((id) => graph.chunk(id)).filter((one): one is Chunk => one !== undefined)
  const version = graph.version + 1
  const delta = { added, removed: [], documents: { added: documents, removed: [] } }
  const derived = runBuilders(ledger, book, delta, [], [job], version, progress.builders)
  const told: Change[] = job.kind === 'rebuild' ? everything(documents, added) : []
  publish(ledger, [job], [...told, ...derived])
  return { ...progress, after: last }
}

/** A shared chunk is fed once: with the first of its documents. */
function owned(ledger: Ledger, document: DocumentRecord): string[] {
  return document.chunks.map((placed) => placed.chunk).filter((chunk) => ledger.graph.placements(chunk)[0]?.document === document.id)
}

function everything(documents: readonly DocumentRecord[], chunks: readonly Chunk[]): Change[] {
  const none = { passages: [], units: [] }
  return [
    ...documents.map((document): Change => ({ op: 'put-document', document })),
    ...chunks.map((chunk): Change => ({ op: 'put-chunk', chunk, vectors: none })),
  ]
}

function consolidate(ledger: Ledger, job: Job, progress: Progress): Progress | undefined {
  const [name, ...rest] = progress.builders
  if (name === undefined) return undefined
  const builder = ledger.builders.find((one) => one.name === name)
  const update = builder?.consolidate?.(ledger.graph, ledger.config.settings)
  if (update) {
    if (update.patch.length > 0) ledger.graph.apply(update.patch, ledger.graph.version + 1)
    addTasks(ledger.sql, update.tasks, [job])
    publish(ledger, [job], update.patch)
  }
  return { ...progress, builders: rest }
}

function publish(ledger: Ledger, jobs: readonly Job[], changes: readonly Change[]): void {
  if (changes.length === 0) return
  const { version } = ledger.graph
  fillOutbox(ledger, changes, version)
  keepReceipt(ledger, changes, jobs)
  recordTouched(ledger.sql, jobs, changes, version)
  for (const job of jobs) job.tally.version = version
}

// ---------------------------------------------------------------- what a caller may do to a job

/** Once the old graph of a strategy is wiped, only finishing makes it whole again. */
function halfDerived(job: Job): boolean {
  if (!KINDS.has(job.kind) || !job.progress) return false
  return (JSON.parse(job.progress) as Progress).step === 'feed'
}

/** Stops what has not been integrated; what is already visible stays. Maintenance can be stopped until it has begun to derive anew. */
export function cancel(ledger: Ledger, found: Job): Job[] {
  return ledger.atomically(() => {
    const book = openBook(ledger.sql, ledger.now())
    const job = book.find(found.n)
    if (job?.phase !== 'staging' || halfDerived(job)) return []
    for (const { n } of ledger.sql.all<{ n: number }>(`SELECT n FROM revision WHERE job = ? AND state = 'staged'`, job.n)) {
      unstage(ledger, book, n)
      const { document = '' } = ledger.sql.one<{ document: string }>('SELECT document FROM revision WHERE n = ?', n) ?? {}
      ledger.sql.run('DELETE FROM revision WHERE n = ?', n)
      unname(ledger.sql, [document])
    }
    job.waiting = 0
    job.status = 'cancelled'
    job.phase = 'telling' // closes with nothing to tell
    job.open = 0
    return book.save()
  })
}

/** Asks again for what failed: documents whose vectors could not be had are staged anew. */
export function retry(ledger: Ledger, found: Job): Job[] {
  if (found.status !== 'failed') return []
  return ledger.atomically(() => {
    const book = openBook(ledger.sql, ledger.now())
    const job = book.find(found.n)
    if (!job) return []
    const failed = ledger.sql.all<Revision>(`SELECT * FROM revision WHERE job = ? AND state = 'failed'`, job.n)
    if (failed.length === 0) return []
    Object.assign(job, {
      status: 'running',
      phase: 'staging',
      error: null,
      receipt: null,
      progress: JSON.stringify(failed.map((one) => one.n)),
    })
    for (const revision of failed) restage(ledger, job, revision)
    return book.save()
  })
}
