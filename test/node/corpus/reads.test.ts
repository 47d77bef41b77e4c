/** How often an update of ArchRAG asks the object's SQLite: what it will look at is read together, so statements do not follow each entity, link and chunk. */
import { expect, it } from 'vitest'
import { SqliteGraph } from '../../../durable-objects/graph/sqlite-graph'
import { counted } from '../../../durable-objects/sql'
import { mentions } from '../../../src/core/builders/mentions'
import { namesIn } from '../../../src/core/channels/names'
import { integrate } from '../../../src/core/graph/integrate'
import type { Change } from '../../../src/core/graph/types'
import { random } from '../../../src/core/random'
import { archBuilder } from '../../../src/core/strategies/archrag/archrag'
import { knowledge } from '../../../src/core/strategies/shared-builders'
import { quantize } from '../../../src/core/vectors'
import { D, doc, settingsWith } from '../../core/archrag/worlds'
import { openDatabase, sqliteSource } from '../../node-sqlite'

const COMMITS = 16
const DOCUMENTS = 5 // of a commit
const MAX = 20 // statements for each entity that comes

it('[A450] an update reads what it will look at together: few statements for each entity that comes', () => {
  let statements = 0
  const source = sqliteSource(openDatabase())
  const exec: typeof source.exec = (query, ...bindings) => {
    statements++
    return source.exec(query, ...bindings)
  }
  const graph = new SqliteGraph({ sql: counted({ exec }), dimensions: D })
  graph.migrate()
  const settings = settingsWith({})
  const numbers = random('reads')
  const perEntity: number[] = []
  for (let commit = 0; commit < COMMITS; commit++) {
    const upserts = Array.from({ length: DOCUMENTS }, (_, i) => {
      const id = `${commit}-${i}`
      const name = (at: number): string =>
        `Mar${'abcdefghij'[at % 10]}${'klmnopqrst'[Math.floor(at / 10) % 10]}avon${'uvwxyzabcd'[Math.floor(at / 100) % 10]}`
      const at = 4 * (DOCUMENTS * commit + i)
      const known = name(numbers.below(at + 1))
      const sentences = [0, 1, 2].map(
        (n) => `In matter ${id} there stood ${name(at + n)} beside ${name(at + n + 1)}${n === 0 ? ` and ${known}` : ''}.`,
      )
      const { record, chunk, vectors } = doc(
        id,
        sentences,
        sentences.map(() => quantize(Array.from({ length: D }, () => numbers.normal()))),
      )
      return { document: record, chunks: [{ chunk, vectors }] }
    })
    const before = graph.count('entity')
    const { patch, delta } = integrate(graph, { upserts, deletes: [] })
    graph.apply(patch, graph.version + 1)
    const changes: Change[] = []
    for (const builder of [mentions, knowledge]) {
      const own = builder.update(graph, { ...delta, replies: [], changes }, settings).patch
      graph.apply(own, graph.version + 1)
      changes.push(...own)
    }
    const since = statements
    graph.apply(archBuilder.update(graph, { ...delta, replies: [], changes }, settings).patch, graph.version + 1)
    perEntity.push((statements - since) / (graph.count('entity') - before))
  }
  const last = perEntity.slice(-8)
  expect([graph.count('entity') > 300, graph.count('community', 1) > 30]).toEqual([true, true])
  expect(last.reduce((sum, one) => sum + one, 0) / last.length).toBeLessThan(MAX)
})

it('[Q1730] the names that a question may say are looked up together, in a few statements however long it is', () => {
  let statements = 0
  const source = sqliteSource(openDatabase())
  const exec: typeof source.exec = (query, ...bindings) => {
    statements++
    return source.exec(query, ...bindings)
  }
  const graph = new SqliteGraph({ sql: counted({ exec }), dimensions: D })
  graph.migrate()
  const text = 'Ada Marlow met Bo Tarn at Quell Weir. Quell Weir is old.'
  const { record, chunk, vectors } = doc('a', [text], [quantize(Array.from({ length: D }, () => 1))])
  const { patch, delta } = integrate(graph, { upserts: [{ document: record, chunks: [{ chunk, vectors }] }], deletes: [] })
  graph.apply(patch, 1)
  graph.apply(mentions.update(graph, { ...delta, replies: [], changes: [] }, settingsWith({})).patch, 2)
  graph.forget()
  const question = `Did Ada Marlow of ${Array.from({ length: 20 }, (_, i) => `Place${'abcdefghijklmnopqrst'[i]}`).join(' and ')} see Quell Weir?`
  const since = statements
  const names = namesIn(graph, question).map((one) => one.key)
  expect(names).toEqual(['ada marlow', 'quell weir'])
  expect(statements - since).toBeLessThanOrEqual(8)
})
