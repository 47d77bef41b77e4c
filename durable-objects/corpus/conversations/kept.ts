/**
 * Conversations kept on request. What a turn shows is decided each time it is read: an answer that rests on a document that the reader may not see now,
 * directly or through the turns it follows, is withheld; the transaction that deletes such a document deletes the answer's text permanently.
 */
import { type AuditSettings, auditDefaults } from '../../../src/ports/audit'
import type { ConversationHead, Earlier, KeptTurn, ListedBy, Named, NewTurn, Place } from '../../../src/ports/conversations'
import { isDeletedSince } from '../access/deleted-since'
import type { CorpusContext } from '../store'
import {
  blankTurnsOf,
  countConversations,
  countTurns,
  deleteConversation,
  hasForgottenTurn,
  hasTurn,
  insertConversation,
  insertTurn,
  listConversations,
  listOldest,
  listTurns,
  listUnchangedSince,
  nameConversation,
  oldestChange,
  readConversation,
  readConversationOf,
  readNewestTurn,
  type TurnRow,
} from '../tables/conversation'

const DAY = 86_400_000 // ms

export const conversationLimits = {
  turns: 100, // of one conversation
  conversations: 1000, // of one owner; the longest unused are deleted
  all: 10_000, // turns in a corpus; the longest unused conversations are deleted
  answer: 32 * 1024, // characters
  citations: 64 * 1024, // characters of JSON; a turn with more keeps only the first citations
  title: 80, // characters of the first question
  history: 10, // turns that a question builds on, the latest
} as const
const AT_ONCE = 100 // conversations deleted in one run
const COUNTED_EACH = 50 // turns; counting all of them each time would cost more than keeping one

type Db = Pick<CorpusContext, 'sql' | 'now' | 'config'>

/** What an asker may see now. */
export interface Sight {
  document(id: string): boolean
  node(id: string): boolean
}

const daysOf = ({ config }: Pick<Db, 'config'>): number => {
  const settings: AuditSettings = { ...auditDefaults, ...config.audit }
  return settings.conversation_days
}

export function conversationsOf({ sql }: Pick<Db, 'sql'>, by: ListedBy): readonly ConversationHead[] {
  return listConversations(sql, by)
}

export function readWhole(
  { sql }: Pick<Db, 'sql'>,
  { owner, id }: Place,
  sight: Sight,
): (ConversationHead & { readonly data: readonly KeptTurn[] }) | null {
  const head = readConversation(sql, owner, id)
  return head ? { ...head, data: shown(listTurns(sql, id), sight).map(({ turn }) => turn) } : null
}

/** The documents of all its turns. */
export function restsOn({ sql }: Pick<Db, 'sql'>, named: Named): readonly string[] {
  const head = 'id' in named ? readConversation(sql, named.owner, named.id) : readConversationOf(sql, named.owner, named.turn)
  return head ? [...new Set(listTurns(sql, head.id).flatMap(({ documents }) => listIn(documents)))] : []
}

export function earlier({ sql }: Pick<Db, 'sql'>, named: Named, sight: Sight): Earlier | { readonly kind: 'missing' | 'full' | 'moved' } {
  const head = 'id' in named ? readConversation(sql, named.owner, named.id) : readConversationOf(sql, named.owner, named.turn)
  if (!head) return { kind: 'missing' }
  if ('turn' in named && 'last' in head && head.last !== named.turn) return { kind: 'moved' }
  if (head.turns >= conversationLimits.turns) return { kind: 'full' }
  const all = shown(listTurns(sql, head.id), sight)
  const hidden = all.findLastIndex(({ turn }) => turn.answer === null)
  const latest = all.slice(hidden + 1).slice(-conversationLimits.history)
  return {
    kind: 'found',
    id: head.id,
    turns: latest.map(({ turn }) => ({ question: turn.question ?? '', answer: turn.answer ?? '' })),
    leans: latest.length === 0 ? null : Math.min(...latest.map(({ row }) => row.leans)),
  }
}

/** A turn that rests on something deleted meanwhile is kept without its text. Inside a transaction. */
export function keepTurn(context: Db, { owner, id, begins }: Place & { readonly begins: boolean }, turn: NewTurn): boolean {
  const { sql, now } = context
  if (daysOf(context) === 0 || turn.answer.length > conversationLimits.answer) return false
  if (hasTurn(sql, turn.id)) return true // the call came twice
  const isWhole = !isForgotten(context, id, turn)
  const at = now()
  const known = readConversation(sql, owner, id)
  if (!known && !begins) return false
  if (known && known.turns >= conversationLimits.turns) return false
  if (!known) {
    makeRoom(sql, owner)
    insertConversation(sql, { id, title: isWhole ? clip(turn.question) : null, created: at }, owner)
  }
  const { question, answer } = isWhole ? turn : { question: null, answer: null }
  insertTurn(sql, {
    id: turn.id,
    conversation: id,
    at,
    version: turn.version,
    answered: Number(turn.answered),
    question,
    answer,
    citations: isWhole ? citationsOf(turn) : '[]',
    documents: JSON.stringify(isWhole ? turn.documents : []),
    nodes: JSON.stringify(isWhole ? turn.nodes : []),
    leans: isWhole ? turn.leans : null,
  })
  if (readNewestTurn(sql) % COUNTED_EACH === 0) trim(sql, id)
  return true
}

/** Was something that it rests on deleted since it was given, directly or through the turns it follows? */
function isForgotten({ sql, now }: Db, conversation: string, { version, documents, nodes, leans }: NewTurn): boolean {
  if (leans !== null && hasForgottenTurn(sql, conversation, leans)) return true
  return isDeletedSince(sql, { version, documents, isBroad: nodes.length > 0 }, now())
}

export function rename({ sql }: Pick<Db, 'sql'>, { owner, id }: Place, title: string): ConversationHead | null {
  const head = readConversation(sql, owner, id)
  if (!head) return null
  nameConversation(sql, id, title)
  return { ...head, title }
}

/** `id` null: all of theirs. Returns how many there were. */
export function forget({ sql }: Pick<Db, 'sql'>, { owner, id }: { readonly owner: string; readonly id: string | null }): number {
  const ids =
    id === null ? listOldest(sql, { owner, limit: conversationLimits.conversations }) : readConversation(sql, owner, id) ? [id] : []
  for (const one of ids) deleteConversation(sql, one)
  return ids.length
}

/** Documents are deleted: runs in their transaction. */
export function forgetDocumentsInConversations(sql: CorpusContext['sql'], documents: readonly string[]): void {
  if (documents.length > 0 && oldestChange(sql) !== undefined) blankTurnsOf(sql, documents)
}

/** When the longest unused conversation may be deleted; null: there is none. */
export function conversationRetentionAt(context: Pick<Db, 'sql' | 'config'>): number | null {
  const oldest = oldestChange(context.sql)
  return oldest === undefined ? null : oldest + daysOf(context) * DAY
}

export function expireConversations(context: Db): void {
  const { sql, now } = context
  const before = daysOf(context) === 0 ? Number.MAX_SAFE_INTEGER : now() - daysOf(context) * DAY
  for (const id of listUnchangedSince(sql, before, AT_ONCE)) deleteConversation(sql, id)
}

interface Shown {
  readonly row: TurnRow
  readonly turn: KeptTurn
}

/** A turn is hidden with any of those it rests on: from the first one it depends on up to itself. */
function shown(rows: readonly TurnRow[], sight: Sight): Shown[] {
  let lastHidden = -1 // the number of the latest turn that may itself not be seen
  return rows.map((row) => {
    const isForgotten = row.answer === null
    const mayBeSeen = listIn(row.documents).every((one) => sight.document(one)) && listIn(row.nodes).every((one) => sight.node(one))
    if (!mayBeSeen) lastHidden = row.n
    const withheld = isForgotten ? ('forgotten' as const) : lastHidden >= row.leans ? ('access' as const) : null
    const { id, at, version, answered, question } = row
    const says = withheld === null
    return {
      row,
      turn: {
        id,
        at,
        version,
        answered: answered === 1,
        question,
        answer: says ? row.answer : null,
        citations: says ? (JSON.parse(row.citations) as KeptTurn['citations']) : [],
        withheld,
      },
    }
  })
}

const listIn = (json: string): readonly string[] => JSON.parse(json) as string[]

/** As many of the first ones as fit. */
function citationsOf({ citations }: NewTurn): string {
  let kept = citations
  for (let text = JSON.stringify(kept); ; text = JSON.stringify(kept)) {
    if (text.length <= conversationLimits.citations) return text
    kept = kept.slice(0, Math.floor(kept.length / 2))
  }
}

function clip(question: string): string {
  const line = question.trim().replaceAll(/\s+/g, ' ')
  return line.length > conversationLimits.title ? `${line.slice(0, conversationLimits.title)}…` : line
}

/** Makes room for one more of this owner's. */
function makeRoom(sql: CorpusContext['sql'], owner: string): void {
  const over = countConversations(sql, owner) - conversationLimits.conversations + 1
  if (over > 0) for (const id of listOldest(sql, { owner, limit: over })) deleteConversation(sql, id)
}

/** The longest unused conversations are deleted, except the one that has just grown. */
function trim(sql: CorpusContext['sql'], but: string): void {
  while (countTurns(sql) > conversationLimits.all) {
    const [oldest] = listOldest(sql, { owner: null, limit: 1 })
    if (oldest === undefined || oldest === but) return
    deleteConversation(sql, oldest)
  }
}
