/**
 * What a page of a list costs where almost all of its rows are others': documents, spending by document and a source's items, in the object, in Node
 * on node:sqlite. The asker may read the last two of so many. Each list is walked to its end, several times. Prints; asserts nothing.
 *   npm run bench lists [-- --hidden 100000] [--rounds 15]
 */
import { parseArgs } from 'node:util'
import { usageView } from '../../durable-objects/corpus/billing/usage-recorder'
import { documents } from '../../durable-objects/corpus/ingest/documents'
import { sourceItems } from '../../durable-objects/corpus/sources/sources'
import { localObject } from '../lib/object'
import { quantile } from '../system/loam'

const { values: flags } = parseArgs({
  options: { hidden: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '15' } },
})
const LIMIT = 50
const SOURCE = 'src_1'
const { context } = localObject([], { dimensions: 64 })
const { sql } = context

const NUMBERS = `WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ?), d AS
  (SELECT i, printf('doc-%08d', i) AS id, CASE WHEN i > ? - 2 THEN '["group:own"]' ELSE '["group:others"]' END AS access FROM k)`
const fill = (insert: string): void => sql.run(insert.replace('…', NUMBERS), Number(flags.hidden), Number(flags.hidden))
fill(`INSERT INTO revision (document, state, content_version, indexed_version, hash, title, name, metadata, text, placed, waiting, job, access)
  … SELECT id, 'live', 1, 1, id, id, id, '{}', 'Herons wait.', '[]', 0, 0, access FROM d`)
fill(`INSERT INTO spending (document, stage, calls, read, written, embedded, usd) … SELECT id, 'embed', 1, 0, 0, 9, 0.0001 FROM d`)
fill(`INSERT INTO source_item (source, key, document, state, round, title, failures, missing)
  … SELECT '${SOURCE}', 'https://example.org/' || id, id, 'here', 1, id, i % 2, 0 FROM d`)

interface Listed {
  readonly data: readonly unknown[]
  readonly next_cursor: string | null
}
const asker = ['group:own']
const lists: { readonly [name: string]: (cursor: string | null) => Listed } = {
  documents: (cursor) => documents(context, cursor, LIMIT, asker),
  usage: (cursor) => usageView(context, cursor, LIMIT, asker),
  'items of a source': (cursor) => sourceItems(context, SOURCE, { status: null, cursor, limit: LIMIT }, asker),
  'items that fail': (cursor) => sourceItems(context, SOURCE, { status: 'failing', cursor, limit: LIMIT }, asker),
}

console.log(
  `${flags.hidden} rows, ${flags.rounds} rounds\nlist                 pages   found   a page, p50 ms   longest   all pages, p50 ms`,
)
for (const [name, page] of Object.entries(lists)) {
  const [each, whole]: [number[], number[]] = [[], []]
  let [pages, found] = [0, 0]
  for (let round = 0; round < Number(flags.rounds); round++) {
    ;[pages, found] = [0, 0]
    const began = performance.now()
    for (let cursor: string | null | undefined; cursor !== null; pages++) {
      const since = performance.now()
      const listed: Listed = page(cursor ?? null)
      each.push(performance.now() - since)
      found += listed.data.length
      cursor = listed.next_cursor
    }
    whole.push(performance.now() - began)
  }
  const figures = [quantile(each, 0.5), Math.max(...each), quantile(whole, 0.5)].map((ms) => ms.toFixed(1))
  console.log(
    `${name.padEnd(20)} ${String(pages).padStart(5)} ${String(found).padStart(7)} ${figures.map((one) => one.padStart(14)).join(' ')}`,
  )
}
