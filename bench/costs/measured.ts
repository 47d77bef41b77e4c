/** What documents leave behind per chunk, for one strategy: rows of the object and of D1, vectors, bytes. Measured in a local Loam of its own. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { asStrategies, ingest, start } from '../system/loam'
import type { Text } from '../system/texts'
import type { Held } from './platform'

const GIGABYTE = 1e9

/** Rows of the index of entities that several chunks mention, per chunk: counted by `npm run bench read-model -- --passages 1500`, not told by receipts. */
const MENTIONED = 2.6

interface Counts {
  readonly [kind: string]: number
}

/** Per chunk. The index holds passages and every node that has a vector; of D1 a node is one row, a chunk and an edge are two, and so is an entity that several chunks mention (`MENTIONED`). */
export async function perChunk(strategies: readonly string[], documents: readonly Text[]): Promise<Held & { readonly embedded: number }> {
  const loam = await start('hash')
  const { state } = loam
  const corpus = loam.client.corpus('c')
  try {
    await corpus.create({ strategies: asStrategies(strategies) })
    const { receipt } = await ingest(corpus, documents)
    const { counts } = await corpus.info()
    const last = (await (await corpus.export()).text()).trimEnd().split('\n').at(-1) ?? '{}'
    const { counts: told } = JSON.parse(last) as { readonly counts: Counts }
    await loam.end() // what is not yet merged into a database is, then
    const of = (kind: string): number => counts[kind] ?? 0
    const chunks = of('chunks')
    const vectors = ['passages', 'entities', 'keywords', 'labels', 'summaries', 'communities'].reduce((sum, kind) => sum + of(kind), 0)
    const row = (kind: string): number => told[kind] ?? 0
    return {
      objectRows: receipt.rows_written / chunks,
      d1Rows: (row('document') + row('node') + 2 * (row('chunk') + row('edge'))) / chunks + MENTIONED,
      vectors: vectors / chunks,
      object: bytesIn(join(state, 'data/v3/do/loam-Corpus')) / GIGABYTE / chunks,
      d1: bytesIn(join(state, 'data/v3/d1')) / GIGABYTE / chunks,
      embedded: receipt.tokens.embedded / chunks,
    }
  } finally {
    await loam.stop()
  }
}

/** Databases and what is not yet merged into them. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.sqlite(-wal)?$/.test(name) && !name.includes('metadata'))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
