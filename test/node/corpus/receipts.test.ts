/** Receipts of commits: a chain anybody can follow from an export alone. */
import { describe, expect, it } from 'vitest'
import { verifyExport } from '../../../cli/verifying/verify-export'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { receipts } from '../../../durable-objects/corpus/outbox/receipts'
import { labelsOf } from '../../../durable-objects/corpus/query/labels'
import { SqliteGraph } from '../../../durable-objects/graph/sqlite-graph'
import type { DocumentInput } from '../../../src/ports/documents'
import { DIMENSIONS, type Mortal, mortalWorld, type World } from './mortal-object'
import { dice, finish, noBill } from './working'

const PLACES = ['heron', 'glacier', 'loom', 'violin', 'harbour', 'beehive', 'lantern', 'quarry']
const ALL = ['erarag', 'cluerag', 'ketrag', 'archrag', 'gorag']

function page(n: number, version = 0): DocumentInput {
  const text = `Anna Berg saw the ${PLACES[n % 8]} near Port Ellis in year ${n + version}. Otto Brandt kept the ${PLACES[(n + 3) % 8]}. Version ${version}.`
  return { id: `d${n}`, text, title: n % 2 ? `Page ${n}` : '', url: null, metadata: { n: n % 3, at: 0.1 * n } }
}

async function lived(): Promise<{ world: World; mortal: Mortal }> {
  const world = mortalWorld(ALL)
  const mortal = world.wake()
  const { context } = mortal
  const done = () => finish(mortal, world, noBill())
  accept(context, { kind: 'batch', upserts: Array.from({ length: 12 }, (_, n) => page(n)), deletes: [] })
  await done()
  accept(context, { kind: 'batch', upserts: [page(3, 1), page(20)], deletes: ['d5', 'd6'] })
  await done()
  labelsOf(() => context).put({ id: 'birds', description: 'On birds', examples: [{ id: 'x', text: 'A heron by the harbour' }] })
  startMaintenance(context, 'consolidate')
  await done()
  startMaintenance(context, 'reindex', { strategies: ['erarag'] })
  await done()
  return { world, mortal }
}

function linesOf({ context }: Mortal, world: World): string[] {
  const chain = receipts(context, null, 1000).data.map((one) => JSON.stringify({ type: 'receipt', ...one }))
  const about = JSON.stringify({ type: 'corpus', corpus: 'c', version: context.graph.version })
  return [about, ...world.exported(), ...chain, JSON.stringify({ type: 'end' })]
}

describe('receipts of commits', () => {
  it('[V80] every commit has one; each is chained to the one before, and the rows of an export add up to the state of the last', async () => {
    const { world, mortal } = await lived()
    const { data } = receipts(mortal.context, null, 1000)
    const found = await verifyExport(linesOf(mortal, world))
    const jobs = mortal.context.sql.all<{ receipt: string }>('SELECT receipt FROM job').map(({ receipt }) => JSON.parse(receipt).version)
    const again = new SqliteGraph({ sql: mortal.context.sql, dimensions: DIMENSIONS })
    mortal.context.sql.run(`UPDATE graph_state SET sums = ''`)
    again.migrate()
    world.close()
    expect(found).toMatchObject({ verdict: 'whole', faults: [], version: mortal.context.graph.version, receipts: data.length })
    expect(data.map((one) => one.version)).toEqual([...new Set(data.map((one) => one.version))].sort((a, b) => a - b))
    expect(jobs.filter((version) => version > 0 && !data.some((one) => one.version === version))).toEqual([])
    expect(again.state).toBe(data.at(-1)?.state) // added up from nothing
    expect(data.length).toBeGreaterThan(4)
  })

  it('[V80] whatever is altered, left out, repeated or moved is found', async () => {
    const { world, mortal } = await lived()
    const lines = linesOf(mortal, world)
    world.close()
    const roll = dice(81)
    const escaped: string[] = []
    for (let n = 0; n < 400; n++) {
      const at = 1 + roll(lines.length - 2)
      const other = tampered(lines, at, roll)
      if (JSON.stringify(other) === JSON.stringify(lines)) continue
      const { verdict } = await verifyExport(other)
      if (verdict === 'whole') escaped.push(`${lines[at]?.slice(0, 200)} → ${other[at]?.slice(0, 200)}`)
    }
    expect(escaped).toEqual([])
    expect((await verifyExport(lines.slice(0, -1))).verdict).toBe('broken')
    expect((await verifyExport(lines.map((line, i) => (i === 0 ? line.replace(/"version":\d+/, '"version":1') : line)))).verdict).toBe(
      'moved',
    )
  })

  it('[V80] receipts hold no text and no document’s name, and cost one row a commit', async () => {
    const { world, mortal } = await lived()
    const { data } = receipts(mortal.context, null, 1000)
    const before = mortal.context.sql.written()
    accept(mortal.context, { kind: 'batch', upserts: [], deletes: ['nobody'] })
    await finish(mortal, world, noBill())
    expect(mortal.context.sql.written() - before).toBeLessThan(20) // nothing changed: no version, no receipt
    expect(receipts(mortal.context, null, 1000).data).toHaveLength(data.length)
    world.close()
    const said = JSON.stringify(data)
    expect([/heron|Anna|Port|birds/i.test(said), /"d\d+"/.test(said)]).toEqual([false, false])
    expect(Object.keys(data[0] ?? {}).sort()).toEqual(['at', 'change', 'hash', 'jobs', 'state', 'touched', 'version'])
  })
})

/** One line with one change: a letter or digit of it, the line gone, twice, or (receipts) in the place of its neighbour. */
function tampered(lines: readonly string[], at: number, roll: (sides: number) => number): string[] {
  const line = lines[at] ?? ''
  const rest = [...lines]
  switch (roll(4)) {
    case 0:
      rest.splice(at, 1)
      return rest
    case 1:
      rest.splice(at, 0, line)
      return rest
    case 2:
      if (!line.startsWith('{"type":"receipt"') || !lines[at + 1]?.startsWith('{"type":"receipt"')) return [...lines]
      ;[rest[at], rest[at + 1]] = [rest[at + 1] ?? '', line]
      return rest
    default:
      rest[at] = altered(JSON.parse(line), roll)
      return rest
  }
}

/** Fields the verdict does not rest on are left alone: they are named in docs/verify.md. */
const LOOSE = new Set(['type', 'name', 'passages', 'units', 'mentions'])

function altered(row: { [key: string]: unknown }, roll: (sides: number) => number): string {
  const keys = Object.keys(row).filter((key) => !LOOSE.has(key))
  const key = keys[roll(keys.length)] ?? 'id'
  const text = JSON.stringify(row[key])
  const places = [...text].flatMap((letter, i) => (/[a-zA-Z1-8]/.test(letter) ? [i] : []))
  const place = places[roll(Math.max(1, places.length))]
  if (place === undefined) return JSON.stringify(row)
  const letter = text[place] === 'q' ? 'z' : /\d/.test(text[place] ?? '') ? '9' : 'q'
  try {
    return JSON.stringify({ ...row, [key]: JSON.parse(text.slice(0, place) + letter + text.slice(place + 1)) })
  } catch {
    return JSON.stringify(row)
  }
}
