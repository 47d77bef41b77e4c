/**
 * The same files taken in by several divisions and orders: which tables of the graph differ, and in which lines (rule S213). What is derived from a text
 * is a function of the documents, so every column must be empty.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import type { Vector } from '../../src/core/graph/types'
import { defaultStrategies } from '../../src/core/strategies/registry'
import { quantize } from '../../src/core/vectors'
import type { DocumentInput } from '../../src/ports/documents'
import { differences } from '../../test/core/graph/state-difference'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { localObject, openSql } from '../lib/object'
import { load } from '../lib/processor'
import { writeFiles } from './files'
import { batchesOf } from './object'

interface Division {
  readonly name: string
  /** Chunks that go in together. */
  readonly part?: number
  readonly batches: (batches: readonly (readonly DocumentInput[])[]) => readonly (readonly DocumentInput[])[]
}

const DIVISIONS: readonly Division[] = [
  { name: 'batches of 320 KB', batches: (batches) => batches },
  { name: 'the same from the last', batches: (batches) => batches.map((one) => [...one].reverse()).reverse() },
  { name: 'the same by parts of 8', part: 8, batches: (batches) => batches },
  { name: 'batches three times as large, by parts', batches: (batches) => thirds(batches) },
  { name: 'one by one', batches: (batches) => batches.flat().map((one) => [one]) },
]
const SHOWN = 3 // lines of each side
const WIDTH = 300 // characters of a line

export async function compareDivisions({
  strategies = defaultStrategies,
  bytes,
  only,
}: {
  strategies?: readonly string[]
  bytes?: number
  /** Numbers of the divisions. */
  only?: readonly number[]
}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loam-divisions-'))
  const known = new Map<string, Vector>()
  const embed = (texts: readonly string[]): Vector[] =>
    texts.map((text) => {
      const vector = known.get(text) ?? quantize(theStaticEncoder().encode(text))
      known.set(text, vector)
      return vector
    })
  try {
    writeFiles(join(folder, 'files'), bytes)
    const batches = await batchesOf(join(folder, 'files'))
    let first: SqliteGraph | undefined
    for (const [n, { name, part, batches: divide }] of DIVISIONS.entries()) {
      if (only && !only.includes(n)) continue
      const object = localObject(strategies, { dimensions: STATIC_DIMENSIONS }, openSql(join(folder, `${n}.db`)), { part })
      const since = process.cpuUsage()
      for (const batch of divide(batches)) object.ingest(batch, embed)
      const { user, system } = process.cpuUsage(since)
      const { graph } = object.context
      console.log(
        `${name}: ${graph.count('document')} documents, ${graph.count('chunk')} chunks, ${((user + system) / 1e6).toFixed(1)} s of processor time; state ${graph.state}; ${load()}`,
      )
      if (first) show(first, graph)
      else first = graph
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function show(first: SqliteGraph, second: SqliteGraph): void {
  for (const { of, onlyInFirst, onlyInSecond } of differences(
    () => first.lines(),
    () => second.lines(),
  )) {
    console.log(`  ${of}: ${onlyInFirst.length} lines only in the first, ${onlyInSecond.length} only in this`)
    for (const line of onlyInFirst.slice(0, SHOWN)) console.log(`    - ${line.slice(0, WIDTH)}`)
    for (const line of onlyInSecond.slice(0, SHOWN)) console.log(`    + ${line.slice(0, WIDTH)}`)
  }
}

function thirds(batches: readonly (readonly DocumentInput[])[]): (readonly DocumentInput[])[] {
  return batches.flatMap((_, i) => (i % 3 === 0 ? [batches.slice(i, i + 3).flat()] : []))
}
