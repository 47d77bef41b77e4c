/** The log of questions, for corpora that keep one: written while the answer is given, rated, read, and deleted when it expires. */
import { type AuditSettings, auditDefaults } from '../../../src/ports/audit'
import type { Feedback, LogFilter, LoggedQuestion, NewLogged } from '../../../src/ports/seeing'
import { isDeletedSince } from '../access/deleted-since'
import type { CorpusContext } from '../store'
import {
  blankLoggedOf,
  deleteLoggedBefore,
  findLogged,
  insertLogged,
  listLogged,
  oldestLoggedAt,
  rateLogged,
  trimLogged,
} from '../tables/question-log'

const DAY = 86_400_000 // ms
const MAX_ROWS = 100_000 // some 200 MB with answers; the oldest go first
const AT_ONCE = 500 // rows deleted in one run

type Db = Pick<CorpusContext, 'sql' | 'now' | 'config'>

const settingsOf = ({ config }: Pick<Db, 'config'>): AuditSettings => ({ ...auditDefaults, ...config.audit })

/** Does nothing if the corpus keeps no log (any more). An answer that rests on something deleted meanwhile is logged without texts. */
export function enterQuestion(context: Db, entry: NewLogged, key: string, door: string): void {
  const { sql, now } = context
  if (settingsOf(context).questions === 'none') return
  const texts = isDeletedSince(sql, entry, now()) ? { question: null, answer: null } : {}
  insertLogged(sql, { ...entry, ...texts, key, door, at: now() })
  trimLogged(sql, MAX_ROWS)
}

export function logged({ sql }: Pick<Db, 'sql'>, filter: LogFilter): LoggedQuestion[] {
  return listLogged(sql, filter)
}

/** `key`: only of an entry that this key made; null: of any. False: there is none. */
export function rate({ sql }: Pick<Db, 'sql'>, id: string, { rating, comment, wrong }: Feedback, key: string | null): boolean {
  const entry = findLogged(sql, id)
  if (!entry || (key !== null && entry.key !== key)) return false
  rateLogged(sql, id, { rating, comment: entry.question === null ? null : comment, wrong })
  return true
}

/** Documents are deleted: runs in their transaction. */
export function forgetDocumentsInLog(sql: CorpusContext['sql'], documents: readonly string[]): void {
  if (documents.length > 0) blankLoggedOf(sql, documents)
}

/** When the oldest entry may be deleted; null: there is none. */
export function logRetentionAt(context: Pick<Db, 'sql' | 'config'>): number | null {
  const oldest = oldestLoggedAt(context.sql)
  return oldest === undefined ? null : oldest + settingsOf(context).question_days * DAY
}

export function expireLog(context: Db): void {
  deleteLoggedBefore(context.sql, context.now() - settingsOf(context).question_days * DAY, AT_ONCE)
}
