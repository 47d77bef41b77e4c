/**
 * Chunks a model could not read, or of whose texts it gave no vector that is of use. Their documents are served and say so (`partial`); the schedule
 * asks the model again, later each time and only so often. When nothing of a document is quarantined any more it is `ready`.
 */
import type { Reply } from '../../../src/core/strategy'
import type { CorpusContext } from '../store'
import type { TaskRow } from '../tables/task'
import { announce, documentEvent } from '../webhooks/announce'
import { addTasks } from './tasks'

/** A step of `schema.ts`; once released it is not changed. */
export const QUARANTINE = `
  CREATE TABLE quarantine (
    builder TEXT NOT NULL,
    kind TEXT NOT NULL,
    node TEXT NOT NULL,
    input TEXT NOT NULL,
    tries INTEGER NOT NULL,           -- made by the schedule
    due INTEGER NOT NULL,             -- ms
    PRIMARY KEY (builder, kind, node)
  ) WITHOUT ROWID;
  CREATE INDEX quarantine_due ON quarantine (due);
  CREATE INDEX quarantine_node ON quarantine (node);
`

const TRIES = 6
const FIRST = 3_600_000 // ms until the schedule asks again; then four times as long each time
const LONGEST = 30 * 86_400_000 // ms; also how often rows that are given up are looked at
const AT_ONCE = 100 // asked again by one tick

interface Row {
  readonly builder: string
  readonly kind: TaskRow['kind']
  readonly node: string
  readonly input: string
  readonly tries: number
}

/** What a reply to an extraction means for its chunk. Inside the commit that takes the reply. */
export function noteReadable(context: CorpusContext, task: TaskRow, reply: Reply): void {
  if (task.kind !== 'extract') return
  if (reply.kind === 'unusable') enter(context, task, reply.reason)
  else leave(context, task)
}

/** Passages of a chunk that comes in may have no vectors: words alone find these until the model is asked again. */
export function noteRefused(
  context: CorpusContext,
  { builder, kind, node, input }: TaskRow,
  revisions: readonly { readonly n: number }[],
  refused: number,
): void {
  const { sql, now } = context
  if (refused === 0) {
    sql.run('DELETE FROM quarantine WHERE builder = ? AND kind = ? AND node = ?', builder, kind, node) // from an earlier time it was here
    return
  }
  sql.run(
    `INSERT INTO quarantine (builder, kind, node, input, tries, due) VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`,
    builder,
    kind,
    node,
    input,
    now() + FIRST,
  )
  const ids = JSON.stringify(revisions.map((one) => one.n))
  sql.run(`UPDATE revision SET error = 'quarantined: invalid' WHERE n IN (SELECT value FROM json_each(?))`, ids)
}

/** Is this chunk in the graph without all of its vectors? Then a reply holds those of its passages, too. */
export function lacksVectors({ sql }: Pick<CorpusContext, 'sql'>, chunk: string): boolean {
  return sql.one(`SELECT 1 FROM quarantine WHERE kind = 'embed' AND node = ?`, chunk) !== undefined
}

export interface Retries {
  /** Chunks that a model will be asked about again, and those about which it was asked often enough. */
  readonly waiting: number
  readonly given_up: number
  /** Milliseconds since the epoch. Null: nothing waits. */
  readonly next_at: number | null
}

export function retriesOf(context: Pick<CorpusContext, 'sql'>, max: number): Retries {
  const count = (which: string): number =>
    context.sql.one<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM quarantine WHERE tries ${which} ? LIMIT ?)`, TRIES, max)?.n ??
    0
  return { waiting: count('<'), given_up: count('>='), next_at: quarantineAt(context) }
}

function enter(context: CorpusContext, { builder, kind, node, input }: TaskRow, reason: string): void {
  context.sql.run(
    `INSERT INTO quarantine (builder, kind, node, input, tries, due) VALUES (?, ?, ?, ?, 0, ?)
     ON CONFLICT (builder, kind, node) DO UPDATE SET input = excluded.input WHERE input <> excluded.input`,
    builder,
    kind,
    node,
    input,
    context.now() + FIRST,
  )
  tell(context, node, `quarantined: ${reason}`)
}

/** It has been read, or has its vectors. */
export function leave(context: CorpusContext, { builder, kind, node }: TaskRow): void {
  const here = context.sql.one('SELECT 1 FROM quarantine WHERE builder = ? AND kind = ? AND node = ?', builder, kind, node)
  if (!here) return
  context.sql.run('DELETE FROM quarantine WHERE builder = ? AND kind = ? AND node = ?', builder, kind, node)
  tell(context, node, null)
}

interface Live {
  readonly document: string
  readonly state: 'live'
  readonly content_version: number
  readonly indexed_version: number
  readonly error: string | null
  readonly placed: string
}

/** The documents that hold the chunk say what they are now. Those whose job is not done are told of when it is. */
function tell(context: CorpusContext, chunk: string, error: string | null): void {
  const { sql } = context
  for (const document of new Set(context.graph.placements(chunk).map((one) => one.document))) {
    const live = sql.one<Live & { done: number }>(
      `SELECT r.document, r.state, r.content_version, r.indexed_version, r.error, r.placed, coalesce(j.phase = 'done', 1) AS done
       FROM revision r LEFT JOIN job j ON j.n = r.job WHERE r.document = ? AND r.state = 'live'`,
      document,
    )
    if (!live || (live.error === null) === (error === null) || (error === null && held(context, live))) continue
    sql.run(`UPDATE revision SET error = ? WHERE document = ? AND state = 'live'`, error, document)
    if (live.done === 1) announce(sql, context.now(), [documentEvent({ ...live, error }, null)])
  }
}

/** Is any chunk of the document still quarantined? */
function held({ sql }: CorpusContext, { placed }: Live): boolean {
  return (
    sql.one(`SELECT 1 FROM quarantine WHERE node IN (SELECT json_extract(value, '$.chunk') FROM json_each(?)) LIMIT 1`, placed) !==
    undefined
  )
}

/** When the next chunk is asked about again; null: none is. */
export function quarantineAt({ sql }: Pick<CorpusContext, 'sql'>): number | null {
  return sql.one<{ due: number }>('SELECT due FROM quarantine WHERE tries < ? ORDER BY due LIMIT 1', TRIES)?.due ?? null
}

/** Asks again for what is due; true if there was any. A chunk that has gone leaves its quarantine. */
export function retryQuarantined(context: CorpusContext): boolean {
  const { sql, graph, now } = context
  let asked = false
  const due = sql.all<Row>('SELECT builder, kind, node, input, tries FROM quarantine WHERE due <= ? ORDER BY due LIMIT ?', now(), AT_ONCE)
  for (const { tries, ...task } of due) {
    const { builder, kind, node } = task
    if (!graph.chunk(node) || !(kind === 'embed' || context.builders.some((one) => one.name === builder))) {
      sql.run('DELETE FROM quarantine WHERE builder = ? AND kind = ? AND node = ?', builder, kind, node)
      continue
    }
    const given = tries >= TRIES
    if (!given) addTasks(sql, [{ ...task, urgent: true }], [])
    asked ||= !given
    const pause = given ? LONGEST : Math.min(LONGEST, FIRST * 4 ** (tries + 1))
    sql.run(
      'UPDATE quarantine SET tries = min(?, tries + 1), due = ? WHERE builder = ? AND kind = ? AND node = ?',
      TRIES,
      now() + pause,
      builder,
      kind,
      node,
    )
  }
  return asked
}
