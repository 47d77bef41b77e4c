/** Conversations that somebody asked to keep, their turns, and the documents that each answer may quote. All SQL on the three tables is here. */
import type { ConversationHead, ListedBy } from '../../../src/ports/conversations'
import type { Sql } from '../../sql'

/**
 * A step of `schema.ts`; once released it is not changed. citations, documents, nodes: JSON lists; leans: the first turn that this one
 * rests on, directly or through those in between; question and answer NULL: forgotten.
 */
export const CREATE_CONVERSATION = `
  CREATE TABLE conversation (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    title TEXT,
    created INTEGER NOT NULL,         -- ms
    changed INTEGER NOT NULL,
    turns INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX conversation_owner ON conversation (owner, changed, id);
  CREATE INDEX conversation_changed ON conversation (changed);
  CREATE TABLE conversation_turn (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL,
    at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    answered INTEGER NOT NULL,
    question TEXT,
    answer TEXT,
    citations TEXT NOT NULL,
    documents TEXT NOT NULL,
    nodes TEXT NOT NULL,
    leans INTEGER NOT NULL
  );
  CREATE INDEX conversation_turn_of ON conversation_turn (conversation, n);
  CREATE INDEX conversation_turn_broad ON conversation_turn (n) WHERE nodes <> '[]';
  CREATE TABLE conversation_document (document TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (document, n)) WITHOUT ROWID;
  CREATE INDEX conversation_document_turn ON conversation_document (n);
`

export interface TurnRow {
  readonly n: number
  readonly id: string
  readonly conversation: string
  readonly at: number
  readonly version: number
  readonly answered: number
  readonly question: string | null
  readonly answer: string | null
  readonly citations: string
  readonly documents: string
  readonly nodes: string
  readonly leans: number
}

const HEAD = 'id, title, turns, created, changed'

export function readConversation(sql: Sql, owner: string, id: string): ConversationHead | undefined {
  return sql.one<ConversationHead>(`SELECT ${HEAD} FROM conversation WHERE id = ? AND owner = ?`, id, owner)
}

/** The conversation whose last turn this is, or was. */
export function readConversationOf(sql: Sql, owner: string, turn: string): (ConversationHead & { readonly last: string }) | undefined {
  return sql.one(
    `SELECT ${HEAD}, (SELECT id FROM conversation_turn WHERE conversation = c.id ORDER BY n DESC LIMIT 1) AS last
     FROM conversation AS c WHERE owner = ? AND id = (SELECT conversation FROM conversation_turn WHERE id = ?)`,
    owner,
    turn,
  )
}

export function listConversations(sql: Sql, { owner, after, limit }: ListedBy): ConversationHead[] {
  return sql.all<ConversationHead>(
    `SELECT ${HEAD} FROM conversation WHERE owner = ? AND (changed, id) < (?, ?) ORDER BY changed DESC, id DESC LIMIT ?`,
    ...[owner, after?.changed ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

export function listTurns(sql: Sql, conversation: string): TurnRow[] {
  return sql.all<TurnRow>('SELECT * FROM conversation_turn WHERE conversation = ? ORDER BY n', conversation)
}

export function insertConversation(
  sql: Sql,
  { id, title, created }: Pick<ConversationHead, 'id' | 'title' | 'created'>,
  owner: string,
): void {
  sql.run(
    'INSERT INTO conversation (id, owner, title, created, changed, turns) VALUES (?, ?, ?, ?, ?, 0)',
    ...[id, owner, title, created, created],
  )
}

/** `leans` NULL: it rests on none before it. */
export function insertTurn(sql: Sql, turn: Omit<TurnRow, 'n' | 'leans'> & { readonly leans: number | null }): void {
  const { id, conversation, at, version, answered, question, answer, citations, documents, nodes, leans } = turn
  sql.run(
    `INSERT INTO conversation_turn (id, conversation, at, version, answered, question, answer, citations, documents, nodes, leans)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, conversation, at, version, answered, question, answer, citations, documents, nodes, leans ?? 0],
  )
  if (leans === null) sql.run('UPDATE conversation_turn SET leans = n WHERE id = ?', id)
  sql.run(
    'INSERT OR IGNORE INTO conversation_document SELECT value, (SELECT n FROM conversation_turn WHERE id = ?) FROM json_each(?)',
    ...[id, documents],
  )
  sql.run('UPDATE conversation SET turns = turns + 1, changed = ? WHERE id = ?', at, conversation)
}

export function hasTurn(sql: Sql, id: string): boolean {
  return sql.one('SELECT 1 FROM conversation_turn WHERE id = ?', id) !== undefined
}

/** Is any turn from this number on forgotten? */
export function hasForgottenTurn(sql: Sql, conversation: string, from: number): boolean {
  return sql.one('SELECT 1 FROM conversation_turn WHERE conversation = ? AND n >= ? AND answer IS NULL', conversation, from) !== undefined
}

export function nameConversation(sql: Sql, id: string, title: string | null): void {
  sql.run('UPDATE conversation SET title = ? WHERE id = ?', title, id)
}

/** Of all owners: conversations deleted since must not come back with an older state. */
export function deleteAllConversations(sql: Sql): void {
  sql.run('DELETE FROM conversation_document')
  sql.run('DELETE FROM conversation_turn')
  sql.run('DELETE FROM conversation')
}

export function deleteConversation(sql: Sql, id: string): void {
  sql.run('DELETE FROM conversation_document WHERE n IN (SELECT n FROM conversation_turn WHERE conversation = ?)', id)
  sql.run('DELETE FROM conversation_turn WHERE conversation = ?', id)
  sql.run('DELETE FROM conversation WHERE id = ?', id)
}

/** The longest unused first. */
export function listOldest(sql: Sql, { owner, limit }: { readonly owner: string | null; readonly limit: number }): string[] {
  const rows =
    owner === null
      ? sql.all<{ id: string }>('SELECT id FROM conversation ORDER BY changed LIMIT ?', limit)
      : sql.all<{ id: string }>('SELECT id FROM conversation WHERE owner = ? ORDER BY changed LIMIT ?', owner, limit)
  return rows.map(({ id }) => id)
}

export function countConversations(sql: Sql, owner: string): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM conversation WHERE owner = ?', owner)?.n ?? 0
}

export function countTurns(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM conversation_turn')?.n ?? 0
}

export function readNewestTurn(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT n FROM conversation_turn ORDER BY n DESC LIMIT 1')?.n ?? 0
}

export function oldestChange(sql: Sql): number | undefined {
  return sql.one<{ changed: number }>('SELECT changed FROM conversation ORDER BY changed LIMIT 1')?.changed
}

export function listUnchangedSince(sql: Sql, before: number, limit: number): string[] {
  return sql
    .all<{ id: string }>('SELECT id FROM conversation WHERE changed < ? ORDER BY changed LIMIT ?', before, limit)
    .map(({ id }) => id)
}

/** Turns that may quote these documents, and those that build on them, keep no text; nor does the title of their conversation. */
export function blankTurnsOf(sql: Sql, documents: readonly string[]): void {
  const named = JSON.stringify(documents)
  const hit = `SELECT n FROM conversation_document WHERE document IN (SELECT value FROM json_each(?))
               UNION SELECT n FROM conversation_turn WHERE nodes <> '[]'`
  const all = sql.all<{ n: number; conversation: string }>(
    `SELECT DISTINCT t.n, t.conversation FROM conversation_turn AS h JOIN conversation_turn AS t
       ON t.conversation = h.conversation AND t.n >= h.n AND t.leans <= h.n WHERE h.n IN (${hit})`,
    named,
  )
  if (all.length === 0) return
  const turns = JSON.stringify(all.map(({ n }) => n))
  const conversations = JSON.stringify([...new Set(all.map(({ conversation }) => conversation))])
  sql.run(
    `UPDATE conversation_turn SET question = NULL, answer = NULL, citations = '[]', documents = '[]', nodes = '[]'
     WHERE n IN (SELECT value FROM json_each(?))`,
    turns,
  )
  sql.run('DELETE FROM conversation_document WHERE n IN (SELECT value FROM json_each(?))', turns)
  sql.run('UPDATE conversation SET title = NULL WHERE id IN (SELECT value FROM json_each(?))', conversations)
}
