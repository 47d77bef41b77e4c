/** The world the app talks to, as small as can be: everything in memory, nothing remembered longer than a test. */

import { keyDay, migrateDay } from '../../../durable-objects/key-usage/day'
import type { Job } from '../../../src/contract/jobs'
import { embeddingOf } from '../../../src/core/settings'
import { vault } from '../../../src/hooks/seal'
import type { Wired } from '../../../src/http/wired'
import type { AuditEntry } from '../../../src/ports/audit'
import type { CorpusRecord } from '../../../src/ports/catalogue'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { DocumentInput } from '../../../src/ports/documents'
import type { HookRecord } from '../../../src/ports/hooks'
import type { Answered } from '../../../src/ports/idempotency'
import type { KeyUsageObject } from '../../../src/ports/key-usage'
import type { KeyRecord } from '../../../src/ports/keys'
import type { CorpusObject } from '../../../src/ports/object'
import type { ResealState, ResealStore } from '../../../src/ports/reseal'
import { readFile } from '../../../src/reading/read-file'
import { memorySql } from '../../node-sqlite'
import { fakeConversations } from './conversations'
import { fakeNetwork, fakeOutbound } from './outbound'
import { fakeSeeing } from './seeing'

export interface FakeWorld {
  readonly wired: Wired
  readonly answers: Map<string, Answered>
  readonly corpora: Map<string, CorpusRecord>
  readonly keys: Map<string, KeyRecord>
  readonly hooks: Map<string, HookRecord>
  /** Milliseconds; moved by tests. */
  clock: { now: number }
  /** Thrown by the catalogue while it is set. */
  outage: { error: Error | null }
}

export const ADMIN = 'an-admin-key'
const nothing = { in: 0, out: 0, embedded: 0 }
const ZERO = { ...nothing, calls: 0, usd: 0, neurons: 0 }

export function fakeWorld(): FakeWorld {
  const corpora = new Map<string, CorpusRecord>()
  const keys = new Map<string, KeyRecord>()
  const days = new Map<string, KeyUsageObject>()
  const hooks = new Map<string, HookRecord>()
  const answers = new Map<string, Answered & { expires: number }>()
  const objects = new Map<string, CorpusObject>()
  const leaving = new Map<string, ReturnType<typeof fakeOutbound>>()
  const clock = { now: 1_000_000 }
  const outage: FakeWorld['outage'] = { error: null }
  const up = (): void => {
    if (outage.error) throw outage.error
  }
  const wired: Wired = {
    version: '0',
    adminKey: ADMIN,
    now: () => clock.now,
    keyUsage: (id) => {
      const day = days.get(id) ?? aDay(() => clock.now)
      days.set(id, day)
      return day
    },
    later: () => undefined,
    meters: null,
    tracing: null,
    metrics: () => ({ add: async () => undefined, read: async () => ({ since: 0, samples: {} }) }),
    seeing: () => fakeSeeing(),
    conversations: () => fakeConversations(),
    limit: async () => true,
    limitFailed: async () => true,
    identity: null,
    oauth: null,
    convert: readFile,
    seer: null,
    describer: null,
    transcriber: null,
    corpus: (uid) => {
      const object = objects.get(uid) ?? fakeObject()
      objects.set(uid, object)
      return object
    },
    network: fakeNetwork,
    outbound: (uid) => {
      const object = leaving.get(uid) ?? fakeOutbound()
      leaving.set(uid, object)
      return object
    },
    judge: null,
    previousIndex: null,
    modelPlaces: { machine: [], server: false },
    models: {
      embedding: { id: 'hash', dimensions: 8, window: 128 },
      text: null,
      reranker: null,
      embed: async (texts) => ({ vectors: texts.map(() => [1, 0, 0, 0, 0, 0, 0, 0]), spent: { ...nothing, embedded: 1 } }),
      rerank: async () => Promise.reject(new Error('no reranker')),
      write: async () => Promise.reject(new Error('no writer')),
      stream: async () => Promise.reject(new Error('no writer')),
    },
    index: {
      upsert: async () => undefined,
      remove: async () => undefined,
      fetch: async () => [],
      query: async () => [],
      size: async () => ({ vectors: 0, max: 1 }),
      removeUnnamed: async () => undefined,
    },
    catalogue: {
      corpus: async (name, seeing) => {
        up()
        const record = corpora.get(name) ?? null
        return record && (seeing === undefined || record.public || record.uid === seeing) ? record : null
      },
      corpora: async (uids, after, limit) =>
        [...corpora.values()]
          .filter(({ name, uid }) => (uids === null || uids.includes(uid)) && name > after)
          .sort((a, b) => (a.name < b.name ? -1 : 1))
          .slice(0, limit),
      recordEmbedding: async () => undefined,
      recordLayout: async () => undefined,
      recordExamples: async () => undefined,
      hasCorpora: async (count) => corpora.size >= count,
      create: async (record) => {
        if (corpora.has(record.name)) return false
        corpora.set(record.name, record)
        return true
      },
      change: async (record) => {
        corpora.set(record.name, record)
        return true
      },
      dropped: async () => null,
    },
    keys: {
      key: async (id) => {
        up()
        return keys.get(id) ?? null
      },
      keys: async (within) =>
        [...keys.values()].filter(
          ({ corpora }) => within === null || (corpora?.length && corpora.every(({ uid }) => within.includes(uid))),
        ),
      mint: async (record) => void keys.set(record.id, record),
      rotate: async (id, { from, to, previous }) => {
        const held = keys.get(id)
        if (held?.hash !== from) return false
        keys.set(id, { ...held, hash: to, previous })
        return true
      },
      noteUse: async (id, used) => {
        const held = keys.get(id)
        if (held) keys.set(id, { ...held, used })
      },
      revoke: async (id) => keys.delete(id),
      limit: async (id, limits) => {
        const { limits: _, ...held } = keys.get(id) ?? {}
        if (keys.has(id)) keys.set(id, { ...(held as KeyRecord), ...(limits ? { limits } : {}) })
        return keys.has(id)
      },
    },
    // As if deleting were done at once; what it really is, test/node/corpus/deletion.test.ts shows.
    deletions: {
      begin: async (uid, deletion) => {
        for (const [name, record] of corpora) if (record.uid === uid) corpora.delete(name)
        return deletion
      },
      find: async () => null,
      list: async () => [...corpora.values()],
      restore: async () => false,
      giveUp: async () => undefined,
      state: async () => ({ kind: 'living' }),
      confirm: async () => undefined,
      finish: async () => undefined,
      due: async () => [],
      cleared: async () => [],
      forget: async () => undefined,
    },
    recoveries: {
      ask: async () => true,
      state: async () => null,
      keepPart: async () => undefined,
      part: async () => null,
      carried: async () => undefined,
      finish: async () => undefined,
      open: async () => [],
    },
    audit: { add: async () => undefined, entries: async () => [], forget: async () => undefined },
    answers: {
      begin: async (id, body, now, expires) => {
        const held = answers.get(id)
        if (held && held.expires > now) return held
        answers.set(id, { body, status: null, response: null, expires })
        return 'begun'
      },
      finish: async (id, status, response, expires) => {
        const held = answers.get(id)
        if (held) answers.set(id, { ...held, status, response, expires })
      },
      release: async (id) => void answers.delete(id),
      sweep: async () => undefined,
    },
    hooks: {
      hook: async (id) => hooks.get(id) ?? null,
      hooks: async (uid) => [...hooks.values()].filter((one) => one.uid === uid),
      add: async (record) => !!hooks.set(record.id, record),
      rotate: async (id, secrets) => {
        const held = hooks.get(id)
        if (held) hooks.set(id, { ...held, secrets })
      },
      remove: async (uid, id) => hooks.get(id)?.uid === uid && hooks.delete(id),
    },
    buckets: { names: ['documents'], open: () => null },
    bucketRoutes: {
      of: async () => [],
      put: async () => undefined,
      remove: async () => undefined,
    },
    vault: vault('a-master-key'),
    reseal: fakeReseal(hooks, corpora),
    pool: { choose: async () => 'DATA_0', chooseDedicated: async () => null, limit: 8e9 },
    listings: {
      version: async () => 0,
      nodes: async () => [],
      mentioned: async () => [],
      layers: async () => [],
      around: async () => null,
      page: async () => ({ rows: [], bytes: 0, next: null }),
    },
  }
  return { wired, answers, corpora, keys, hooks, clock, outage }
}

function fakeReseal(hooks: Map<string, HookRecord>, corpora: ReadonlyMap<string, CorpusRecord>): ResealStore {
  let kept: ResealState | null = null
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  const behind = <T>(all: Iterable<T>, idOf: (one: T) => string, after: string): T[] =>
    [...all].filter((one) => idOf(one) > after).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  return {
    state: async () => kept,
    advance: async (before, after) => {
      if (!same(before, kept)) return false
      kept = after
      return true
    },
    webhooks: async (after, limit) => behind(hooks.values(), ({ id }) => id, after).slice(0, limit),
    replace: async (id, before, secrets) => {
      const held = hooks.get(id)
      return held !== undefined && same(held.secrets, before) && hooks.set(id, { ...held, secrets }) !== undefined
    },
    corpora: async (after, limit) =>
      behind(corpora.values(), ({ uid }) => uid, after)
        .map(({ uid }) => uid)
        .slice(0, limit),
    left: async (webhook, uid) => ({
      webhooks: webhook === null ? 0 : behind(hooks.values(), ({ id }) => id, webhook).length,
      corpora: behind(corpora.values(), (one) => one.uid, uid).length,
    }),
  }
}

/** Takes documents and forgets their jobs. */
function aDay(now: () => number): KeyUsageObject {
  const sql = memorySql()
  migrateDay(sql)
  const day = keyDay(sql, now)
  return {
    admit: async (what, limits) => day.admit(what, limits),
    reserve: async (...asked) => day.reserve(...asked),
    settle: async (...spent) => day.settle(...spent),
    today: async () => day.today(),
  }
}

function fakeObject(): CorpusObject {
  let config: CorpusConfig | undefined
  const documents = new Map<string, DocumentInput>()
  const none = { done: 0, total: 0 }
  const progress = { done: 1, total: 1, documents: { done: 1, total: 1 }, chunks: none, texts: none }
  const job: Job = { job: 'j_1', kind: 'ingest', status: 'succeeded', progress, usage: nothing }
  const noted: AuditEntry[] = []
  return {
    recoveryEstimate: async () => ({ kind: 'unremembered' }),
    recover: async () => null,
    configure: async (next) => {
      config = next
      return embeddingOf(next.settings)
    },
    readPartition: async () => ({ kind: 'gone' }),
    showPartition: async () => ({ evidence: [] }),
    migration: async () => null,
    backupStarts: async () => null,
    backupPage: async () => ({ kind: 'busy' }),
    restore: async () => ({ kind: 'refused', why: 'there is no backup here' }),
    restoreState: async () => null,
    withdrawals: async () => ({ from: null, deleted: [], access: [] }),
    migrate: async () => ({ kind: 'accepted', job: job.job, documents: [] }),
    layout: async () => null,
    size: async () => null,
    moveModel: async () => ({ kind: 'done' }),
    repartition: async () => ({ kind: 'accepted', job: job.job }),
    move: async () => ({ kind: 'empty' }),
    view: async () => (config ? { status: 'settled', tuning: false, version: 0, counts: {}, usage: { ...nothing, usd: 0 } } : null),
    accept: async ({ upserts, deletes }) => {
      for (const one of upserts) documents.set(one.id, one)
      for (const id of deletes) documents.delete(id)
      return { kind: 'accepted', job: job.job, documents: upserts.map(({ id }) => ({ document: id, status: 'queued' as const })) }
    },
    nameOperations: async () => ({ data: [], next_cursor: null }),
    partEntities: async () => ({ kind: 'unchanged', n: null }),
    decide: async () => ({ kind: 'unchanged', n: null }),
    undecide: async () => ({ kind: 'done', n: 1 }),
    decisions: async () => ({ data: [], next_cursor: null }),
    pinned: async () => [],
    weigh: async () => ({
      ...{ present: [], visible: [], shownAs: [], chunks: 0, unknown: [] },
      ...{ isSaid: false, isSaidThere: false, isShared: false, isRelated: false, isTogether: false },
    }),
    takeRulings: async () => undefined,
    named: async () => ({ written: {}, hidden: [] }),
    tellPartitions: async () => [],
    maintain: async () => ({ kind: 'accepted', job: job.job, documents: [] }),
    reconcile: async () => 'open',
    job: async (id) => (id === job.job ? job : null),
    jobs: async () => ({ data: [job], next_cursor: null }),
    putProbes: async (probes, { k, tolerance }) => ({
      probes: probes.map(({ query, expect }) => ({ query, expect })),
      ...{ k, tolerance, revision: 'r', missing: [] },
    }),
    probes: async () => ({ probes: [], k: 10, tolerance: 0.02, revision: 'r' }),
    health: async () => null,
    receipts: async () => ({ data: [], next_cursor: null }),
    cancel: async (id) => (id === job.job ? job : null),
    retry: async (id) => (id === job.job ? job : null),
    documents: async () => ({ data: [], next_cursor: null }),
    document: async () => null,
    documentFile: async () => null,
    chunks: async () => null,
    correctChunk: async () => null,
    changes: async ({ document }) => (document === null ? { rows: [], next: null, days: 0 } : null),
    describing: async () => null,
    retrieve: async () => ({ kind: 'evidence', evidence: [], version: 0, frequencies: [], passages: 0 }),
    verify: async (quotes) => quotes.map(() => ({})),
    charge: async () => undefined,
    reserve: async (holds) => holds.map(() => true),
    usage: async () => ({
      total: ZERO,
      stages: {},
      shared: { ...ZERO, stages: {} },
      rows_published: 0,
      answers: { hits: 0, misses: 0, saved: ZERO },
      budget: {},
      held: { tokens: 0, usd: 0 },
      measured: null,
      data: [],
      next_cursor: null,
    }),
    openTasks: async () => ({ tasks: [], left: 0, paused: false }),
    commit: async () => ({ kind: 'lost' }),
    release: async () => {},
    filters: async () => [],
    putFilter: async (name, filters) => ({ name, filters, changed: 0 }),
    changeFilter: async () => 'done',
    keptAnswer: async () => null,
    putLabel: async ({ id, description, examples }) => ({ label: id, description, examples, learned: 0 }),
    labels: async () => ({ data: [], next_cursor: null }),
    dropLabel: async () => true,
    classify: async () => ({ label: null, confidence: 0, candidates: [], tree: { nodes: [], edges: [] }, keywords: [] }),
    learn: async () => null,
    unlearn: async () => true,
    links: async () => [],
    setAccess: async () => ({ version: 1, access: [], active: true }),
    setLanguage: async () => ({ kind: 'accepted', job: job.job, documents: [] }),
    seen: async () => ({ documents: {}, inactive: [], dates: {}, chunks: [], nodes: [], edges: [], all: true }),
    entity: async () => null,
    around: async () => 'all',
    above: async () => [],
    aroundAbove: async () => null,
    dataOf: async () => undefined,
    audit: async () => [...noted].reverse(),
    noteAudit: async (events, by) => {
      for (const { document = null, subject = null, ...event } of events)
        noted.push({ n: noted.length + 1, at: 0, ...by, ...event, document, subject })
    },
    drain: async () => ({ left: 0 }),
    tend: async () => true,
  }
}
