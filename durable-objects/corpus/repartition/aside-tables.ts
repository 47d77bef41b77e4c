/**
 * The tables of the object that are about documents: they are set aside when the documents are in partitions. A test compares the list with the schema, so
 * that a new table is in it, or is kept for a reason given here.
 */
interface Aside {
  /** Its primary key. */
  readonly key: readonly string[]
  /** Rows removed in one slice; 1000 by default. */
  readonly atOnce?: number
}

export const KEYS_ASIDE: { readonly [table: string]: Aside } = {
  // The graph.
  document: { key: ['n'] },
  placement: { key: ['chunk', 'document', 'start'] },
  chunk: { key: ['n'], atOnce: 100 },
  node: { key: ['n'] },
  edge: { key: ['side', 'near', 'far'] },
  place: { key: ['space', 'key'] },
  value: { key: ['space', 'key'], atOnce: 200 },
  label_set: { key: ['n'] },
  access: { key: ['document'] },
  beneath: { key: ['node'] },
  sentences: { key: ['chunk'], atOnce: 200 },
  graph_state: { key: ['one'] },
  // Documents, and what was still to be done for them.
  revision: { key: ['n'], atOnce: 100 },
  outline: { key: ['revision'], atOnce: 200 },
  brought: { key: ['revision'], atOnce: 200 },
  file: { key: ['revision', 'part'], atOnce: 4 },
  dated: { key: ['document'] },
  spoken: { key: ['language', 'document'] },
  facet: { key: ['key', 'value', 'document'] },
  awaited: { key: ['chunk', 'revision'] },
  staged: { key: ['chunk'], atOnce: 100 },
  task: { key: ['n'], atOnce: 200 },
  touched: { key: ['job', 'n'] },
  late: { key: ['n'], atOnce: 100 },
  unwritten: { key: ['builder', 'node'] },
  quarantine: { key: ['builder', 'kind', 'node'] },
  cache: { key: ['input'], atOnce: 200 },
  cache_source: { key: ['source', 'input'] },
  earlier: { key: ['n'] },
  withdrawn: { key: ['document', 'what'] },
  event: { key: ['id'] },
  saved_filter: { key: ['name'] },
  spending: { key: ['document', 'stage'] },
  receipt: { key: ['version'] },
  kept_answer: { key: ['n'], atOnce: 100 },
  // How far the database and the index were.
  outbox: { key: ['seq'], atOnce: 200 },
  sent: { key: ['seq'] },
  vectorless: { key: ['chunk'] },
  former: { key: ['id'] },
}

export const KEPT_TABLES: { readonly [table: string]: string } = {
  words: 'set aside as the index of chunks that it is, and removed at once',
  word: 'a view of `words`',
  job: 'jobs are read by their ids',
  probe: 'probes are the whole corpus’s',
  source: 'as `probe`, but for sources of one page, which are in the partition of their document',
  source_item: 'as `source`',
  endpoint: 'as `probe`',
  delivery: 'as `endpoint`',
  spending_total: 'what was spent stays spent',
  spending_day: 'as `spending_total`',
  hold: 'as `spending_total`',
  audit: 'the log is of the whole corpus',
  question_log: 'as `audit`',
  question_log_document: 'as `audit`',
  conversation: 'as `audit`',
  conversation_turn: 'as `audit`',
  conversation_document: 'as `audit`',
  report: 'of partitions',
  forgotten: 'what the log and conversations may not say',
  ruling: 'what partitions are to be told of decisions',
  top: 'what partitions have reported',
  moving: 'empty: nothing is moved any more',
  replica: 'empty: there are no replicas',
  unreplicated: 'as `replica`',
  segment: 'as `replica`',
  fed: 'empty: no graph is derived beside the one that is served',
  differing: 'as `fed`',
  meta: 'single values: those about documents are deleted',
  graph_schema: 'says which tables there are',
}
