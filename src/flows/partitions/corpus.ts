/**
 * A partitioned corpus, called like any other: documents go to the partition that their id determines, questions to all partitions, and
 * everything about the whole (configuration, costs of questions, who asked what) to its own object. It keeps no state, so it runs wherever
 * it is called, and no single object is a bottleneck for all questions. What a partitioned corpus cannot do fails by name.
 */
import { everyPartitionUid, partitionUids } from '../../corpus-uid'
import type { CorpusConfig } from '../../ports/corpus'
import type { CorpusObject } from '../../ports/object'
import type { SavedFilter } from '../../ports/retrieval'
import { audit } from './audit'
import * as backup from './backup'
import { changes } from './changes'
import * as decisions from './decisions'
import * as documents from './documents'
import { joinEntity } from './graph'
import { joinHealth } from './health'
import { jobOf, jobsOf } from './jobs'
import { joinMoves, migrate, migration } from './migration'
import type { Divided } from './part'
import { probes, putProbes } from './probes'
import { receipts } from './receipts'
import { joinSizes, usage, view } from './state'
import { retrieveUnderBudget } from './under-budget'

export const PARTITIONED = 'corpus: partitioned' // how messages begin for calls that a partitioned corpus does not support

const refusing = (call: string) => () => Promise.reject(new Error(`${PARTITIONED}: ${call}`))

export function partitionedCorpus(divided: Divided): CorpusObject {
  const { uid, whole, parts } = divided
  const all = [whole, ...parts]
  return {
    /** The whole's object first: it takes what partitions report when they learn of a budget. */
    async configure(config, by) {
      const own = await whole.configure(config, by)
      for (const [part, object] of parts.entries()) await object.configure(configOf(part, config))
      return own
    },
    view: (asker) => view(divided, asker),
    accept: (request, by) => documents.accept(parts, request, by),
    /** The whole's object is the last to be removed. */
    async reconcile(corpus) {
      const here = partitionUids(uid).map((own, part) => [own, parts[part]] as const)
      const beside = everyPartitionUid(uid).map((own) => [own, divided.objectOf?.(own)] as const)
      const each = [...new Map([...beside, ...here]).entries()]
      const found = await Promise.all(each.map(([own, object]) => object?.reconcile({ ...corpus, uid: own })))
      return found.some((one) => one === 'clearing') ? 'clearing' : whole.reconcile(corpus)
    },
    async job(id, waitMs) {
      const told = await jobOf(parts, id, (part) => part.job(id, waitMs))
      return told?.kind === 'migrate' ? joinMoves(await whole.job(id, 0), told) : (told ?? whole.job(id, waitMs))
    },
    async jobs(cursor, limit) {
      const [page, own] = await Promise.all([jobsOf(parts, cursor, limit), cursor === null ? whole.jobs(null, 1) : undefined])
      return { ...page, data: [...(own?.data.filter(({ kind }) => kind === 'repartition') ?? []), ...page.data] }
    },
    async cancel(id, by) {
      const told = await jobOf(parts, id, (part) => part.job(id, 0))
      if (told && told.kind !== 'migrate') return jobOf(parts, id, (part) => part.cancel(id, by))
      const own = await whole.cancel(id, by)
      if (!told || own?.status !== 'cancelled') return joinMoves(own, told)
      return joinMoves(own, await jobOf(parts, id, (part) => part.cancel(id)))
    },
    retry: (id, by) => jobOf(parts, id, (part) => part.retry(id, by)),
    documents: (...args) => documents.documents(parts, ...args),
    document: (id, asker) => documents.objectFor(parts, id).document(id, asker),
    documentFile: (id, place, asker) => documents.objectFor(parts, id).documentFile(id, place, asker),
    chunks: (id, place, asker) => documents.objectFor(parts, id).chunks(id, place, asker),
    correctChunk: (correction, asker, by) => documents.objectFor(parts, correction.document).correctChunk(correction, asker, by),
    changes: (request, asker) => changes(parts, request, asker),
    describing: (id, hash) => (id === null ? whole : documents.objectFor(parts, id)).describing(id, hash),
    setAccess: (id, change, asker, by) => documents.objectFor(parts, id).setAccess(id, change, asker, by),
    setLanguage: (id, language, asker, by) => documents.objectFor(parts, id).setLanguage(id, language, asker, by),
    seen: (things, asker) => documents.seen(parts, things, asker),
    verify: (quotes) => documents.verify(parts, quotes),
    retrieve: (request) => retrieveUnderBudget(divided, request),
    filters: async (asker) => joinFilters(await Promise.all(parts.map((part) => part.filters(asker)))),
    async putFilter(name, filters, by) {
      const [first] = await Promise.all(parts.map((part, i) => part.putFilter(name, filters, i === 0 ? by : undefined)))
      return first ?? 'too_many'
    },
    async changeFilter(name, to, by) {
      const [first] = await Promise.all(parts.map((part, i) => part.changeFilter(name, to, i === 0 ? by : undefined)))
      return first ?? 'missing'
    },
    async health() {
      const [own, ...told] = await Promise.all(all.map((one) => one.health()))
      return own
        ? joinHealth(
            told.flatMap((one) => one ?? []),
            own.probes,
          )
        : null
    },
    audit: (place) => audit(divided, place),
    /** Answers are kept by version, and no object knows the whole's. */
    keptAnswer: async (asked) => ('result' in asked ? null : { generation: 0, asked: 0 }),
    reserve: (holds) => whole.reserve(holds),
    charge: (stages, holds, by) => whole.charge(stages, holds, by),
    usage: (cursor, limit, asker) => usage(divided, cursor, limit, asker),
    noteAudit: (events, by) => whole.noteAudit(events, by),
    restoreState: () => backup.restoreState(divided),
    tend: () => whole.tend(),
    async drain() {
      const left = await Promise.all(all.map((one) => one.drain()))
      return { left: left.reduce((sum, one) => sum + one.left, 0) }
    },
    migration: () => migration(divided),
    migrate: (to, by) => migrate(divided, to, by),
    moveModel: refusing('partition'),
    maintain: (kind, options, by) => documents.maintain(parts, kind, options, by),
    backupStarts: () => backup.backupStarts(divided),
    backupPage: (from, object) => backup.backupPage(divided, from, object),
    restore: (part, by) => backup.restore(divided, part, by),
    withdrawals: (since) => backup.withdrawals(divided, since),
    recoveryEstimate: refusing('recovery'),
    recover: async () => null,
    receipts: (cursor, limit, partition) => receipts(parts, cursor, limit, partition),
    putProbes: (...args) => putProbes(divided, ...args),
    probes: (asker) => probes(divided, asker),
    readPartition: refusing('partition'),
    showPartition: refusing('partition'),
    /** Its own: vectors of probes, while it is moved to another embedding model. A runner that was started before it was divided finds none. */
    openTasks: (...args) => whole.openTasks(...args),
    commit: (...args) => whole.commit(...args),
    release: (...args) => whole.release(...args),
    putLabel: refusing('labels'),
    labels: refusing('labels'),
    dropLabel: refusing('labels'),
    classify: refusing('labels'),
    learn: refusing('labels'),
    unlearn: refusing('labels'),
    nameOperations: refusing('entities'),
    partEntities: (a, b, by) => decisions.partEntities(divided, a, b, by),
    decide: (wish, asker, by) => decisions.decide(divided, wish, asker, by),
    undecide: (n, by) => decisions.undecide(divided, n, by),
    decisions: (cursor, limit, asker) => decisions.decisions(divided, cursor, limit, asker),
    pinned: (asker) => decisions.pinned(divided, asker),
    weigh: refusing('partition'),
    takeRulings: refusing('partition'),
    named: refusing('partition'),
    tellPartitions: () => whole.tellPartitions(),
    layout: () => whole.layout(),
    size: async () => joinSizes(await Promise.all(parts.map((part) => part.size()))),
    repartition: (wish, by) => whole.repartition(wish, by),
    move: refusing('partition'),
    links: refusing('graph'),
    entity: async (id, asker) => joinEntity(await Promise.all(parts.map((part) => part.entity(id, asker)))),
    around: refusing('graph'),
    above: (question) => whole.above(question),
    aroundAbove: (from) => whole.aroundAbove(from),
    dataOf: refusing('graph'),
  }

  function configOf(part: number, config: CorpusConfig): CorpusConfig {
    const { hasJudge: _, ...own } = config // a joint walk shows no earlier statements
    return { ...own, uid: partitionUids(uid)[part] ?? '' }
  }
}

/** Each partition names only its own documents that the asker may read. */
function joinFilters(lists: readonly (readonly SavedFilter[])[]): readonly SavedFilter[] {
  const [first = []] = lists
  return first.map((filter) => {
    if (!filter.filters.document) return filter
    const shown = lists.flatMap((list) => list.find((one) => one.name === filter.name)?.filters.document ?? [])
    return { ...filter, filters: { ...filter.filters, document: [...new Set(shown)] } }
  })
}
