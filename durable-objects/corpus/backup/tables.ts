/**
 * What happens to each table of the object in a backup. A test compares the list with the schema, so that a new table is in it or is left out for a reason
 * given here. Rows are written and read back in this order: independent tables first, what says where the corpus is last.
 */
import { metaKeys } from '../tables/meta'

export interface KeptTable {
  readonly table: string
  /** Its primary key: rows are read in this order, from a key on. */
  readonly key: readonly string[]
  /** Rows read at once, where one may be large; 500 by default. */
  readonly atOnce?: number
  /** Values written instead of columns that are in no backup. */
  readonly blanked?: { readonly [column: string]: string }
}

export const KEPT: readonly KeptTable[] = [
  // The graph.
  { table: 'label_set', key: ['n'] },
  { table: 'access', key: ['document'] },
  { table: 'document', key: ['n'], atOnce: 100 },
  { table: 'placement', key: ['chunk', 'document', 'start'], atOnce: 5000 },
  { table: 'chunk', key: ['n'], atOnce: 8 },
  { table: 'node', key: ['n'] },
  { table: 'edge', key: ['side', 'near', 'far'], atOnce: 5000 },
  { table: 'place', key: ['space', 'key'], atOnce: 5000 },
  { table: 'value', key: ['space', 'key'], atOnce: 16 },
  { table: 'beneath', key: ['node'] },
  // Documents, and what is still to be done for them.
  { table: 'revision', key: ['n'], atOnce: 8 },
  { table: 'outline', key: ['revision'], atOnce: 50 },
  { table: 'brought', key: ['revision'], atOnce: 16 },
  { table: 'file', key: ['revision', 'part'], atOnce: 1 },
  { table: 'dated', key: ['document'] },
  { table: 'spoken', key: ['language', 'document'], atOnce: 5000 },
  { table: 'facet', key: ['key', 'value', 'document'], atOnce: 2000 },
  { table: 'awaited', key: ['chunk', 'revision'], atOnce: 5000 },
  { table: 'staged', key: ['chunk'], atOnce: 8 },
  { table: 'job', key: ['n'], atOnce: 50 },
  { table: 'task', key: ['n'], atOnce: 50 },
  { table: 'touched', key: ['job', 'n'], atOnce: 50 },
  { table: 'late', key: ['n'] },
  { table: 'unwritten', key: ['builder', 'node'] },
  { table: 'quarantine', key: ['builder', 'kind', 'node'] },
  { table: 'cache', key: ['input'], atOnce: 50 },
  { table: 'cache_source', key: ['source', 'input'], atOnce: 2000 },
  // What was decided, requested and paid.
  { table: 'probe', key: ['n'] },
  { table: 'source', key: ['id'], blanked: { secrets: '[]' } },
  { table: 'source_item', key: ['source', 'key'] },
  { table: 'saved_filter', key: ['name'] },
  { table: 'earlier', key: ['n'] },
  { table: 'withdrawn', key: ['document', 'what'], atOnce: 2000 },
  { table: 'endpoint', key: ['id'], blanked: { secrets: '[]', status: 'gone' } },
  { table: 'delivery', key: ['n'] },
  { table: 'event', key: ['id'] },
  { table: 'spending', key: ['document', 'stage'] },
  { table: 'spending_total', key: ['stage'] },
  { table: 'spending_day', key: ['day', 'key', 'stage'] },
  { table: 'receipt', key: ['version'] },
  { table: 'audit', key: ['n'] },
  { table: 'graph_state', key: ['one'] },
  { table: 'meta', key: ['key'] },
]

/** Derived again from what is kept. */
export const DERIVED_TABLES: { readonly [table: string]: string } = {
  words: 'the keyword index is fed the chunks again',
  word: 'a view of the keyword index',
  sentences: 'the terms of chunks, which are kept, made again when they are next needed',
  outbox: 'the database and the vector index are sent everything again',
  sent: 'batches on their way to an index that the copy does not have',
  fed: 'of a graph that is derived beside the one that is served; none is while a backup is taken',
  differing: 'as `fed`',
  vectorless: 'as `former`',
  former: 'vectors of a model that the corpus is leaving; none does while a backup is taken',
}

export const LEFT_TABLES: { readonly [table: string]: string } = {
  question_log:
    'what people asked is kept for its days and deleted with a click; a copy would keep it for as long as somebody keeps the file',
  question_log_document: 'as `question_log`',
  conversation:
    'a conversation is its owner’s, whom no other key may read; whoever holds the file would. They export their own, and a copy may have other keys',
  conversation_turn: 'as `conversation`',
  conversation_document: 'as `conversation`',
  kept_answer: 'answers to questions asked before; the copy answers them itself',
  report: 'what the object of a corpus must be told of changes that the copy has from the beginning',
  top: 'the copy’s partitions report theirs',
  ruling: 'what partitions must be told of decisions; none is left while a backup is taken',
  moving: 'documents that other partitions are to be told of; nothing is moved while a backup is taken',
  forgotten: 'as `question_log`: what the copy keeps of answers begins empty',
  replica: 'the copy has no replicas',
  unreplicated: 'as `replica`',
  segment: 'as `replica`',
  hold: 'what was set aside for work that was under way; the copy has none',
  graph_schema: 'says which tables there are; the restoring release makes its own',
}

/** Values about database and index: refilled ones have none of these. */
export const SINK_VALUES: readonly string[] = [
  ...Object.values(metaKeys.cursors),
  ...Object.values(metaKeys.faults),
  ...Object.values(metaKeys.findings),
  metaKeys.modelVersion,
  metaKeys.modelRows,
  metaKeys.modelBatch,
  metaKeys.indexSlice,
  metaKeys.indexDelay,
  metaKeys.unnamedVectors,
  metaKeys.refusedVectors,
  metaKeys.fill,
  metaKeys.formerIndex,
  metaKeys.isMoveUnrecorded,
  metaKeys.areExamplesUnrecorded,
  metaKeys.reconciliation,
  metaKeys.lastReconciliation,
  metaKeys.sinkCheckNotBefore,
].map(({ name }) => name)

/** Single values that would be wrong in the copy; all others are kept. */
export const LEFT_VALUES: { readonly [name: string]: string } = Object.fromEntries([
  ...[
    metaKeys.schemaSteps,
    metaKeys.config, // derived from the backup's description of the corpus, with its new uid
    metaKeys.pendingConfig, // of a graph that is derived again, which never happens during a backup
    metaKeys.restore,
    metaKeys.recovery,
    metaKeys.dimensions,
  ].map(({ name }) => [name, 'made by the restoring corpus']),
  ...[metaKeys.lease, metaKeys.integration, metaKeys.writerOutage, metaKeys.isComparing].map(({ name }) => [name, 'of work under way']),
  ...[metaKeys.recoverableUntil, metaKeys.dropPlace].map(({ name }) => [name, 'of a deletion']),
  ...SINK_VALUES.map((name) => [name, 'of database and index, which are filled again']),
  ...[metaKeys.replication, metaKeys.replicatedUpTo, metaKeys.leftInLog, metaKeys.following].map(({ name }) => [
    name,
    'of replicas, which the copy has none of',
  ]),
  ...[
    metaKeys.reportsTaken,
    metaKeys.partitionAlerts,
    metaKeys.settling,
    metaKeys.settledVersion,
    metaKeys.topsTold,
    metaKeys.topReports,
    metaKeys.rulingsTold,
    metaKeys.rulingsTaken,
    metaKeys.partitionSpending,
    metaKeys.budgetLeft,
    metaKeys.budgetRefusal,
    metaKeys.moving,
    metaKeys.arriving,
    metaKeys.layout,
    metaKeys.repartition,
    metaKeys.modelMove.hold,
    metaKeys.modelMove.lead,
    metaKeys.asidePlace,
  ].map(({ name }) => [name, 'of what other objects told or were told']),
  ...[metaKeys.expectedBy.name].map((name) => [name, 'of the watch over lost alarms']),
])
