/** The terms of chunks' sentences that the object's graph keeps for extracts. */
import { expect, it } from 'vitest'
import { SqliteGraph } from '../../../durable-objects/graph/sqlite-graph'
import { integrate } from '../../../src/core/graph/integrate'
import { ownText } from '../../../src/core/graph/parts'
import { random } from '../../../src/core/random'
import { sentenceTerms } from '../../../src/core/text/sentence-terms'
import { D, divided, doc, settingsWith, vectorFor } from '../../core/builders/worlds'
import { memorySql } from '../../node-sqlite'

it('[G2450] sentences of a chunk are those of its own text, divided once, made again if another release stored them, and go with the chunk', () => {
  const dice = random('sentences')
  const settings = settingsWith()
  const sql = memorySql()
  const open = (): SqliteGraph => {
    const opened = new SqliteGraph({ sql, dimensions: D })
    opened.migrate()
    return opened
  }
  let graph = open()
  const stored = (): string[] => sql.all<{ chunk: string }>('SELECT chunk FROM sentences ORDER BY chunk').map((row) => row.chunk)
  let [asked, removed] = [0, 0]
  for (let round = 0; round < 40; round++) {
    const id = `island-${dice.below(4)}`
    const text = Array.from({ length: 60 }, () => `Keeper ${dice.below(9)} brings oil to the light of isle ${dice.below(9)}.`).join(' ')
    const upserts = dice.below(3) > 0 ? [divided(doc(id, `Isle ${id}`, text), settings, vectorFor)] : []
    const before = graph.page('chunk', '', 1000)
    const { patch } = integrate(graph, { upserts, deletes: upserts.length > 0 ? [] : [id] })
    graph.apply(patch, graph.version + 1)
    const chunks = graph.page('chunk', '', 1000)
    removed += before.filter((one) => !chunks.includes(one)).length
    expect(stored().filter((one) => !chunks.includes(one))).toEqual([])
    const isUpdated = dice.below(4) === 0
    if (isUpdated) sql.run('UPDATE sentences SET terms = ?', new Uint8Array(Int32Array.from([-1, 0, 1]).buffer))
    if (isUpdated || dice.below(3) === 0) graph = open()
    if (dice.below(2) === 0) graph.preload({ sentences: chunks })
    for (const chunk of chunks) {
      const found = graph.chunk(chunk)
      expect(graph.sentences(chunk)).toEqual(sentenceTerms(ownText(found ?? expect.fail())))
      asked++
    }
    graph = open()
    const written = graph.rowsWritten
    for (const chunk of chunks) graph.sentences(chunk)
    expect([stored(), graph.rowsWritten - written]).toEqual([chunks, 0])
  }
  expect([asked > 100, removed > 20]).toEqual([true, true])
  expect(graph.sentences('c_nothing')).toBeUndefined()
})
