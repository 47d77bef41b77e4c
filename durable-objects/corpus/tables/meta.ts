/**
 * Single values of a corpus, each under a name: its configuration, how far each sink is, counts. A key defines what its value means, and
 * how it is stored; stored names are never changed. All SQL on the table is here.
 */

import type { AlertRules } from '../../../src/contract/alerts'
import type { CorpusHealth, GateResult } from '../../../src/contract/health'
import type { Spent } from '../../../src/contract/usage'
import { storedSettings } from '../../../src/core/strategies/default-settings'
import type { Layout } from '../../../src/partition-layout'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { PinnedProbes } from '../../../src/ports/probes'
import type { RaisedAlert } from '../../../src/ports/seeing'
import type { RemainingBudget } from '../../../src/ports/spending'
import type { Sql } from '../../sql'
import type { Following, ReplicaOf } from './following'
import type { Integration } from './integration'
import type * as values from './meta-values'
import type { ModelHold, ModelMove } from './model-move'
import type { Repartition } from './repartition'
import type { OntologyFit, PromptForms } from './replies'

/** Before any other table: it stores how many steps of `schema.ts` have been made. */
export const CREATE_META = 'CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID'
/** Vectors were written under the nodes' bare ids, which two corpora may share: sending them again removes these (outbox/index-sink.ts). */
export const NOTE_UNNAMED_VECTORS = `INSERT INTO meta (key, value) SELECT 'index/unnamed', 'yes' FROM meta WHERE key = 'told/index'`
/** For a corpus older than the log of deletions (withdrawn.ts), the log begins when this step is made. */
export const NOTE_WITHDRAWN_FROM = `INSERT INTO meta (key, value) SELECT 'withdrawn/from', unixepoch() || '000' FROM meta WHERE key = 'config'`

export interface MetaKey<T> {
  readonly name: string
  readonly parse: (text: string) => T
  readonly print: (value: T) => string
}

const text = (name: string): MetaKey<string> => ({ name, parse: (stored) => stored, print: (value) => value })
const number = (name: string): MetaKey<number> => ({ name, parse: Number, print: String })
const flag = (name: string): MetaKey<boolean> => ({ name, parse: (stored) => stored === 'yes', print: (value) => (value ? 'yes' : 'no') })
const json = <T>(name: string): MetaKey<T> => ({
  name,
  parse: (stored) => JSON.parse(stored) as T,
  print: (value) => JSON.stringify(value),
})

type SurveyedNodes = NonNullable<CorpusHealth['nodes']>

/** An earlier release stored only the largest, as `most`. */
const surveyedNodes: MetaKey<SurveyedNodes> = {
  ...json<SurveyedNodes>('nodes'),
  parse(stored) {
    const nodes = JSON.parse(stored) as SurveyedNodes
    return { ...nodes, size: { ...nodes.size, max: nodes.size.most }, degree: { ...nodes.degree, max: nodes.degree.most } }
  },
}

/** An earlier release may have stored settings under other names. */
const configuration = (name: string): MetaKey<CorpusConfig> => {
  const { parse, print } = json<CorpusConfig>(name)
  const current = ({ settings, ...config }: CorpusConfig): CorpusConfig => ({ ...config, settings: storedSettings(settings) })
  return { name, parse: (stored) => current(parse(stored)), print }
}

/** Times are milliseconds since the epoch. */
export const metaKeys = {
  schemaSteps: number('schema'),
  config: configuration('config'),
  /** Requested, and not in force before the graph is derived again for it. */
  pendingConfig: configuration('asked'),
  /** Versions of documents up to this number may have been divided by other settings. */
  dividedBefore: number('divided/before'),
  dimensions: number('dimensions'),
  createdAt: number('born'),
  /** The version of the rules that found names in the first documents of this graph (`NAME_RULES`); unset: from before versions were counted. */
  nameRules: number('names/rules'),

  // Jobs and their runners.
  acceptedCount: number('accepted'),
  runnerCount: number('attempt'),
  lease: json<values.Lease>('lease'),
  /** Jobs are paused: the budget is used up. */
  isPaused: flag('paused'),
  /** Numbers of the jobs that wait for builders' backlogs. */
  backlogJobs: json<readonly number[]>('behind'),
  integration: json<Integration>('integrating'),
  writerOutage: json<values.WriterOutage>('writer/out'),
  promptForms: json<PromptForms>('writer/forms'),
  ontologyFit: json<OntologyFit>('writer/fit'),
  progress: json<values.CorpusProgress>('progress'),

  // Costs. `usd` is missing in values stored before there were prices.
  usage: json<Spent & { readonly usd?: number }>('usage'),
  costBasis: json<values.CostBasis>('measured'),
  /** Questions answered from kept answers, and what that saved. */
  keptAnswers: json<values.KeptAnswers>('answers/kept'),
  /** How often kept answers were discarded at one version (query/kept-answers.ts). */
  answersGeneration: number('answers/generation'),
  unaffordable: json<values.Unaffordable>('unaffordable'),

  // The graph being derived again, and whether it is as good as the served one.
  probeBounds: json<Pick<PinnedProbes, 'k' | 'tolerance'>>('probes'),
  gateVerdict: json<GateResult>('gate'),
  isComparing: flag('comparing'),

  // Maintenance.
  /** Passages added or removed since the last consolidation. */
  churn: number('churn'),
  isConsolidated: flag('consolidated'),
  maintainedAt: number('tended'),
  survey: json<Partial<values.Survey>>('survey'),
  surveyedNodes,
  surveyBaseline: json<{ readonly size: number; readonly degree: number }>('baseline'),
  healthReadAt: number('drift/read'),
  /** Churn when quality was last measured for an endpoint; and when no endpoint was subscribed to it. */
  churnAtQuality: { announced: number('drift/measured'), unannounced: number('drift/seen') },
  quality: json<NonNullable<CorpusHealth['quality']>>('drift/quality'),
  /** Builders and measures beyond their bound, as last announced. */
  announcedDrift: json<readonly string[]>('drift/over'),

  /** Since when deletions and changes of access are logged (tables/withdrawn.ts); for a newer corpus, since its creation. */
  withdrawnFrom: number('withdrawn/from'),
  /** Changes that a restored older state must still receive; until then the corpus answers nothing. */
  replay: json<values.Replaying>('replay'),

  /** It is being restored from a backup, or was; until it is complete the corpus answers nothing. */
  restore: json<values.Restore>('restore'),
  /** It is being restored to a moment, or was; until that is done the corpus answers nothing. */
  recovery: json<values.Recovering>('recovery'),

  /** What endpoints are notified of, and which announced states still hold. */
  alertRules: json<AlertRules>('alerts'),
  raisedAlerts: json<readonly RaisedAlert[]>('alerts/raised'),

  /** In the object of a corpus in partitions: the last report taken from each; the alerts each raises; the latest report that one has settled, until all have been asked; the version at which all had. */
  reportsTaken: json<{ readonly [partition: string]: number }>('reports/taken'),
  partitionAlerts: json<readonly (readonly [partition: string, condition: string])[]>('reports/alerts'),
  settling: json<{ readonly job: string | null; readonly mark: string }>('reports/settling'),
  settledVersion: number('reports/settled'),
  /** In a partition: a mark of each top summary of its tree as last reported. In that object: how many reports of such summaries it has taken. */
  topsTold: json<{ readonly [summary: string]: string }>('tops/told'),
  topReports: number('tops/reports'),
  /** In that object: the last decision about names that each partition has been told; in a partition: the last that it has taken. */
  rulingsTold: json<{ readonly [partition: string]: number }>('rulings/told'),
  rulingsTaken: number('rulings/taken'),
  /** There also: what each has spent, by its number, as far as it has said so since there is a budget. */
  partitionSpending: json<{ readonly [part: number]: Spent & { readonly usd: number } }>('reports/spent'),
  /** There also: when its probes were last begun to be asked, at which version, and before when (ms) none is asked again. */
  probing: json<{ readonly at: number; readonly version: number; readonly notBefore?: number }>('reports/probing'),
  /** In a partition: what was last left of the budget of the whole; and when the whole last granted nothing of it. */
  budgetLeft: json<RemainingBudget>('budget/left'),
  budgetRefusal: json<values.BudgetRefusal>('budget/refused'),
  /** In a partition whose documents are moved to others: whether it may be written, and is still the corpus's; in one of these others: the last order taken, and of each log the last entry; in the corpus's own object: its partitions, if not as the uid says, how far changing them is, and how far removing what it had itself. */
  moving: json<{ readonly isClosed: boolean; readonly hasLeft?: true }>('moving'),
  arriving: json<{ readonly isQuiet: boolean; readonly n: number; readonly audit: { readonly [partition: string]: number } }>('arriving'),
  layout: json<Layout>('layout'),
  repartition: json<Repartition>('repartition'),
  asidePlace: json<values.DropPlace>('aside'),
  /** A corpus in partitions is moved to another embedding model: each object's part in it, and in the corpus's own object how far it is. */
  modelMove: { hold: json<ModelHold>('move/hold'), lead: json<ModelMove>('move/lead') },

  /** Bytes of the files that are kept (tables/file.ts). */
  fileBytes: number('files/bytes'),

  /** The version from which on the most recently deleted documents are no longer in the graph (access/deleted-since.ts). */
  deletedAt: number('deleted/at'),

  /** Until when the deleted corpus can be undeleted. */
  recoverableUntil: number('closed'),
  dropPlace: json<values.DropPlace>('drop'),

  // How far each sink is: numbers of outbox entries.
  cursors: { index: number('told/index'), model: number('told/model'), visible: number('told/seen'), confirmed: number('told/confirmed') },
  modelVersion: number('told/version'),
  modelRows: number('told/rows'),
  modelBatch: json<values.ModelBatch>('told/model_batch'),
  /** For the outbox entry whose vectors are being sent: the cursor before it, and how many of its entries are sent. */
  indexSlice: json<readonly [cursor: number, entries: number]>('index/part'),
  indexDelay: number('index/delay'),
  /** 'yes', or the entry from which on the index holds no ids of a release whose ids named no corpus. */
  unnamedVectors: text('index/unnamed'),
  refusedVectors: json<values.RefusedVectors>('index/refused'),
  /** How far the index of the model that the corpus is moved to has been filled. */
  fill: json<values.FillPlace>('move/fill'),
  /** How far clearing an index that the corpus has left has got. */
  formerIndex: json<values.FormerPlace>('move/former'),
  /** The catalogue does not name the new model of the moved corpus yet. */
  isMoveUnrecorded: flag('move/unrecorded'),
  /** It still has worked examples that went with their document. */
  areExamplesUnrecorded: flag('examples/unrecorded'),
  faults: { index: json<values.SinkFault>('index/fault'), model: json<values.SinkFault>('model/fault') },
  findings: { index: json<values.SinkFindings>('index/found'), model: json<values.SinkFindings>('model/found') },
  reconciliation: json<values.Reconciliation>('sweep'),
  lastReconciliation: json<values.LastReconciliation>('swept'),
  /** A sink that could not be checked is not checked before this time. */
  sinkCheckNotBefore: number('look'),

  /** Replicas follow: the random name of the epoch in which all changes are recorded for them; the outbox number up to which all of them have everything; and what a replica knows about itself. */
  replication: text('replication'),
  replicatedUpTo: number('told/replicas'),
  /** The log may contain keys that nobody asks for, since it was left unsearched; and until when (ms) abandoned writes may arrive. */
  leftInLog: json<{ readonly isUnseen: boolean; readonly until: number }>('replication/left'),
  following: json<Following>('following'),
  /** There were replicas once: when the corpus is deleted, each is told to forget. */
  hadReplicas: flag('replicas/had'),
  /** The highest number of a replica that ever followed; absent: an earlier release, which had four at most. */
  mostReplicas: number('replicas/most'),
  replicaOf: json<ReplicaOf>('replica/of'),

  /** By when the watch over lost alarms expects a report from the corpus; 0: not at all. */
  expectedBy: number('watch/by'),
} as const

export function readMeta<T>(sql: Sql, key: MetaKey<T>): T | undefined {
  const row = sql.one<{ value: string }>('SELECT value FROM meta WHERE key = ?', key.name)
  return row && key.parse(row.value)
}

/** The uid of the corpus, without reading the rest of its configuration. Undefined: there is none. */
export function readUid(sql: Sql): string | undefined {
  return sql.one<{ uid: string }>(`SELECT value ->> 'uid' AS uid FROM meta WHERE key = 'config'`)?.uid
}

/** As stored elsewhere; null: there is none. */
export function writeStored(sql: Sql, name: string, value: string | null): void {
  if (value === null) deleteMeta(sql, { name })
  else sql.run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', name, value)
}

export function hasMeta(sql: Sql, key: { readonly name: string }): boolean {
  return sql.one('SELECT 1 FROM meta WHERE key = ?', key.name) !== undefined
}

/** Writes no row if the value is the same. */
export function writeMeta<T>(sql: Sql, key: MetaKey<T>, value: T): void {
  sql.run(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value <> excluded.value',
    key.name,
    key.print(value),
  )
}

export function deleteMeta(sql: Sql, ...keys: readonly { readonly name: string }[]): void {
  sql.run('DELETE FROM meta WHERE key IN (SELECT value FROM json_each(?))', JSON.stringify(keys.map(({ name }) => name)))
}

/** Adds one to what a key counts. */
export function incrementMeta(sql: Sql, key: MetaKey<number>): number {
  const count = (readMeta(sql, key) ?? 0) + 1
  writeMeta(sql, key, count)
  return count
}
