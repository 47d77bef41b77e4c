/**
 * D1: nodes and edges of every corpus, for explorers, listings and export. A row carries the version that wrote it. An index costs one more
 * written row per row, so there is one only where a walk would otherwise read the whole corpus. `node` and `edge` are WITHOUT ROWID
 * (scripts/without-rowid.mjs), so that their primary key costs nothing extra.
 */
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const published = sqliteTable('published', {
  uid: text().primaryKey(),
  /** No write of an older version is let in. Above every version once the corpus is dropped. */
  fence: integer().notNull(),
  /** Everything up to this version is here. */
  version: integer().notNull(),
})

export const document = sqliteTable(
  'document',
  {
    uid: text().notNull(),
    id: text().notNull(),
    title: text().notNull(),
    name: text().notNull(),
    url: text(),
    metadata: text().notNull(),
    /** JSON list of `{chunk, start}`. */
    chunks: text().notNull(),
    version: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.id] })],
)

export const chunk = sqliteTable(
  'chunk',
  {
    uid: text().notNull(),
    id: text().notNull(),
    title: text().notNull(),
    text: text().notNull(),
    tokens: integer().notNull(),
    own: integer().notNull(),
    /** Empty: the object is asked for spans and mentions. Older rows may contain them. */
    parts: text().notNull(),
    version: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.uid, table.id] })],
)

export const node = sqliteTable(
  'node',
  {
    uid: text().notNull(),
    /** Begins with the letter of its kind, so the primary key lists a kind. */
    id: text().notNull(),
    kind: text().notNull(),
    layer: integer().notNull(),
    text: text().notNull(),
    tokens: integer().notNull(),
    stale: integer().notNull(),
    data: text().notNull(),
    /** The text that `q` searches: in lower case, entities only. */
    folded: text(),
    /** For an entity that has namesakes: the id of the first document about it. Its title is looked up, and stored nowhere else. */
    bearer: text(),
    version: integer().notNull(),
    /** How many chunks mention an entity, negative, so that the most mentioned comes first. Computed from `data`; takes no room. */
    rank: integer().generatedAlwaysAs(sql`-coalesce(data->>'chunks', 0)`, { mode: 'virtual' }),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.id] }),
    // The most mentioned first. Most entities stand in one chunk only, and cost no row here.
    index('node_mentions').on(table.uid, table.rank, table.folded, table.id).where(sql`kind = 'entity' AND rank < -1`),
    index('node_layer').on(table.uid, table.kind, table.layer, table.id).where(sql`layer > 0`), // upper layers, from the top; there are few
  ],
)

export const edge = sqliteTable(
  'edge',
  {
    uid: text().notNull(),
    kind: text().notNull(),
    source: text().notNull(),
    target: text().notNull(),
    weight: real().notNull(),
    data: text(),
    version: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.uid, table.source, table.kind, table.target] }),
    index('edge_target').on(table.uid, table.target, table.kind), // explorers walk in both directions
  ],
)
