/** How often a question by `auto` asks the object's SQLite, with empty caches: what its channels look at is read together. */
import { expect, it } from 'vitest'
import { SqliteGraph } from '../../../durable-objects/graph/sqlite-graph'
import { counted } from '../../../durable-objects/sql'
import { links } from '../../../src/core/builders/links'
import { mentions } from '../../../src/core/builders/mentions'
import { integrate } from '../../../src/core/graph/integrate'
import { passageId } from '../../../src/core/ids'
import { auto } from '../../../src/core/strategies/auto/auto'
import { distinct, terms } from '../../../src/core/text/terms'
import { D, divided, doc, settingsWith, vectorFor } from '../../core/builders/worlds'
import { openDatabase, sqliteSource } from '../../node-sqlite'

const ISLANDS = 300
const TOGETHER = 50 // documents of a commit
const MAX = 90 // statements of a question
const letters = 'abcdefghijklmnopqrstuvwxyz'
const island = (n: number): string => `Isle ${letters[n % 26]?.toUpperCase()}ar${letters[Math.floor(n / 26) % 26]}on`
const keeper = (n: number): string => `Keeper ${letters[n % 7]?.toUpperCase()}el${letters[n % 11]}ick`

function islands(graph: SqliteGraph): void {
  const settings = settingsWith()
  const all = Array.from({ length: ISLANDS }, (_, n) =>
    doc(
      `island-${n}`,
      island(n),
      `${island(n)} has a light. ${keeper(n)} tends it with ${keeper(n + 3)}. The boat comes from ${island(n + 1)} and ${island(n * 7)}.`,
    ),
  )
  for (let at = 0; at < all.length; at += TOGETHER) {
    const upserts = all.slice(at, at + TOGETHER).map((one) => divided(one, settings, vectorFor))
    const { patch, delta } = integrate(graph, { upserts, deletes: [] })
    graph.apply(patch, graph.version + 1)
    for (const builder of [mentions, links])
      graph.apply(builder.update(graph, { ...delta, replies: [], changes: [] }, settings).patch, graph.version + 1)
  }
}

it('[Q1950] what a question by auto looks at is read together: a bounded number of statements, however many documents it looks at', () => {
  let statements = 0
  const source = sqliteSource(openDatabase())
  const exec: typeof source.exec = (query, ...bindings) => {
    statements++
    return source.exec(query, ...bindings)
  }
  const graph = new SqliteGraph({ sql: counted({ exec }), dimensions: D })
  graph.migrate()
  islands(graph)
  const text = `Who tends the light of the island whose boat comes from ${island(5)} and ${island(30)}, like ${keeper(4)}?`
  const near = { passage: graph.page('chunk', '', 100).map((chunk, i) => ({ id: passageId(chunk, 0), score: 1 - i / 200 })) }
  const query = { text, terms: distinct(terms(text)), near, vector: vectorFor(text) }
  graph.forget()
  const since = statements
  const retrieved = auto.retrieve(graph, query, new Map(), { topK: 20, budget: 100_000, trace: false, own: {} }, settingsWith())
  expect(retrieved.kind === 'evidence' && retrieved.found.length).toBe(20)
  expect(statements - since).toBeLessThan(MAX)
})
