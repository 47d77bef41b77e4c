/** What the sinks hold, compared with the object. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { health } from '../../../durable-objects/corpus/maintenance/health'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import { MARKER } from '../../../durable-objects/corpus/outbox/index-sink'
import { countUnsentRows, cursorOf, nextBatch, resend } from '../../../durable-objects/corpus/outbox/outbox'
import { reconcileSinks } from '../../../durable-objects/corpus/outbox/reconcile-sinks'
import {
  findingsOf,
  nextReconciliationAt,
  nextSinkCheckAt,
  openReconciliation,
} from '../../../durable-objects/corpus/outbox/reconciliation-state'
import { lastSeq } from '../../../durable-objects/corpus/tables/outbox'
import { vectorizeLimits as limits } from '../../../src/platform-limits'
import type { DocumentInput } from '../../../src/ports/documents'
import { begun, closeAll, letters, put, shown } from './letters'
import type { Mortal, World } from './mortal-object'
import type { StandingRow } from './standing-index'
import { finish, noBill } from './working'

afterEach(closeAll)
const NOTHING = { missing: 0, foreign: 0 }

describe('the sweep', () => {
  const DAY = 86_400_000

  /** Everything sent, and the day over after which it is compared. */
  async function told(names: readonly string[], documents: readonly DocumentInput[]) {
    const { world, mortal } = begun(names)
    put(mortal, documents)
    await finish(mortal, world, noBill())
    expect(nextReconciliationAt(mortal.context)).toBeGreaterThan(world.clock.now)
    return { world, mortal }
  }

  /** Drains until the sweep has ended; each drain stands for an alarm. */
  async function swept({ mortal, world }: { readonly world: World; readonly mortal: Mortal }): Promise<void> {
    world.clock.now += DAY
    for (let alarms = 0; ; alarms++) {
      if (alarms > 100) throw new Error('the sweep does not end')
      await drain(mortal.context, mortal.sinks)
      world.clock.now += limits.visibleAfterMs
      const at = nextSinkCheckAt(mortal.context)
      if (at === null || at > world.clock.now + 3_600_000) return
      world.clock.now = Math.max(world.clock.now, at)
    }
  }

  const strategiesOf = ['erarag', 'cluerag', 'ketrag']

  it('[J27] finds nothing to do where nothing was lost, and is not due again before something changes', async () => {
    const here = await told(strategiesOf, letters(40))
    const before = here.world.told()
    const last = lastSeq(here.mortal.context)
    await swept(here)
    expect([here.world.told(), lastSeq(here.mortal.context)]).toEqual([before, last])
    expect([findingsOf(here.mortal.context, 'index'), findingsOf(here.mortal.context, 'model')]).toEqual([NOTHING, NOTHING])
    expect(nextReconciliationAt(here.mortal.context)).toBeNull()
    put(here.mortal, letters(1, 40))
    await finish(here.mortal, here.world, noBill())
    expect(nextReconciliationAt(here.mortal.context)).toBeGreaterThan(here.world.clock.now)
  })

  it('[J27] what a sink refuses for what is in it is sent again six times, twice as long after each, and is there once the sink takes it', async () => {
    const here = begun([])
    const { world, mortal } = here
    const bad = (op: string, ids: readonly string[]) => op === 'upsert' && ids.some((id) => id.endsWith(poisoned))
    let poisoned = ''
    world.index.poison = (op, ids) => (poisoned !== '' && bad(op, ids) ? 40_012 : undefined)
    put(mortal, letters(3))
    await finish(mortal, world, noBill())
    const target = [...world.index.rows.values()].find((one) => one.metadata?.kind === 'passage')
    poisoned = target?.id ?? ''
    const rows = world.index.rows as Map<string, StandingRow>
    rows.delete(poisoned)
    const began = world.clock.now
    const asked: number[] = []
    const pass = async (times: number): Promise<void> => {
      for (let alarms = 0; alarms < times; alarms++) {
        const before = world.index.calls.length
        await drain(mortal.context, mortal.sinks)
        if (world.index.calls.slice(before).some(({ op, ids }) => op === 'upsert' && ids.length === 1 && ids[0] === poisoned))
          asked.push(Math.round((world.clock.now - began) / DAY))
        world.clock.now += limits.visibleAfterMs
        const at = nextSinkCheckAt(mortal.context)
        if (at === null) return
        world.clock.now = Math.max(world.clock.now, at)
      }
    }
    await pass(300)
    expect(asked).toEqual([1, 2, 4, 8, 16, 32, 64])
    expect([nextReconciliationAt(mortal.context), health(mortal.context).sinks]).toEqual([
      null,
      expect.objectContaining({ next_sweep_at: null }),
    ])
    expect(health(mortal.context).sinks.index.refused).toBe(7)
    world.clock.now += 400 * DAY
    await pass(10)
    expect(asked.length).toBe(7)
    // Something else changes: all is compared again, and what is taken by now is there.
    poisoned = ''
    put(mortal, letters(1, 40))
    await finish(mortal, world, noBill())
    await swept(here)
    await swept(here)
    expect([rows.has(target?.id ?? ''), nextReconciliationAt(mortal.context)]).toEqual([true, null])
  })

  it('[J27] writes what a sink has lost or holds otherwise, removes what it should not have, and counts both', async () => {
    const here = await told(strategiesOf, letters(300))
    const before = here.world.told()
    const vectors = here.world.index.rows as Map<string, StandingRow>
    const own = [...vectors.values()].filter((one) => one.metadata?.kind !== MARKER)
    for (const one of own.slice(0, 230)) vectors.delete(one.id)
    const other = own[250]
    if (other) vectors.set(other.id, { ...other, values: other.values.map((value, i) => (i === 0 ? -value - 99 : value)) })
    const { rows } = here.world
    const names = [...rows.keys()]
    for (const table of ['document', 'chunk', 'node', 'edge']) {
      const [first = '', second = ''] = names.filter((name) => name.startsWith(`${table} `))
      rows.delete(first)
      rows.set(second, (rows.get(second) ?? '').replace(/"(text|title|weight)":("?)/, '"$1":$29'))
      const stranger = table === 'edge' ? 'relates e_a e_b' : `${table[0]}_stranger`
      rows.set(`${table} ${stranger}`, rows.get(second) ?? '')
    }
    expect(here.world.told()).not.toEqual(before)
    await swept(here)
    expect(here.world.told()).toEqual(before)
    const [index, model] = [findingsOf(here.mortal.context, 'index'), findingsOf(here.mortal.context, 'model')]
    // Of the rows lost, those that went out again with their vectors are not missed any more.
    expect([index.missing > 220, index.foreign, model.missing >= 6, model.foreign]).toEqual([true, 0, true, 4])
  })

  it('[J22] a mutation that was accepted and lost is found: what was to be written is written, what was to be removed is removed', async () => {
    const { world, mortal } = begun()
    put(mortal, letters(120))
    await finish(mortal, world, noBill())
    const gone = letters(50).map((one) => one.id)
    accept(mortal.context, { kind: 'delete', upserts: [], deletes: gone })
    world.index.lost = 1
    await finish(mortal, world, noBill())
    expect(shown(world).length).toBe(mortal.context.graph.count('passage'))
    expect(findingsOf(mortal.context, 'index').foreign).toBe(50)
    // The rows that named them are done with.
    await drain(mortal.context, mortal.sinks)
    expect(mortal.context.sql.one('SELECT 1 FROM outbox')).toBeUndefined()
    world.index.lost = 1
    put(mortal, letters(3, 200))
    await finish(mortal, world, noBill())
    expect(shown(world).length).toBe(mortal.context.graph.count('passage') - 3)
    world.clock.now += 700_000 // the mark went with them, and is sent again
    await drain(mortal.context, mortal.sinks)
    await swept({ world, mortal })
    expect(shown(world).length).toBe(mortal.context.graph.count('passage'))
    expect(findingsOf(mortal.context, 'index').missing).toBe(3)
  })

  it('[J27] keeps its place over alarms and crashes, waits for a sink that is down, and gives way to waiting work', async () => {
    const { world, mortal } = await told([], letters(300))
    const vectors = world.index.rows as Map<string, StandingRow>
    const last = [...vectors.values()].filter((one) => one.metadata?.kind !== MARKER).sort((a, b) => (a.id < b.id ? 1 : -1))[0]
    vectors.delete(last?.id ?? '')
    world.clock.now += DAY
    const until = world.clock.now + 1
    world.meanwhile = () => {
      world.clock.now++ // a page a slice: each takes all the time there is
    }
    await reconcileSinks(mortal.context, mortal.sinks, until)
    const first = openReconciliation(mortal.context)
    expect([first?.sink, first?.after]).toEqual(['index', expect.stringMatching(/^chunk c_/)])
    const again = world.wake()
    world.index.poison = (op) => (op === 'get' ? 10_000 : undefined)
    await reconcileSinks(again.context, again.sinks, world.clock.now + 1)
    expect(openReconciliation(again.context)).toEqual(first)
    expect(nextSinkCheckAt(again.context)).toBeGreaterThan(world.clock.now)
    world.index.poison = () => undefined
    put(again, letters(1, 400))
    await finish({ ...again }, world, noBill())
    world.meanwhile = null
    await swept({ world, mortal: again })
    expect(shown(world).length).toBe(again.context.graph.count('passage'))
  })

  it('[J27] sends no change that readers do not see yet', async () => {
    const { mortal } = await told([], letters(3))
    const { context } = mortal
    const chunks = context.graph.page('chunk', '', 3)
    const pending = JSON.stringify([['c', chunks[0], 1]])
    context.sql.run('INSERT INTO outbox (version, entries) VALUES (?, ?)', context.graph.version + 1, pending)
    resend(context, [['c', chunks[1] ?? '', 1]])
    expect(nextBatch(context, cursorOf(context, 'index'))).toBeUndefined()
    expect(countUnsentRows(context)).toBe(2)
  })
})
