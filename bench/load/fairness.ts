/**
 * What many corpora get of an account's model rate: the governor's own code with a clock of its own, for corpora that have more to index than the rate allows, others that now and then
 * bring one document, and questions, which ask for no slot. Beside it who comes first is served first. Seeded; the clock is simulated, what the governor itself takes of the processor is not.
 *   npm run bench load/fairness [-- --indexing 300 --idle 1000 --minutes 10 --calls 6]
 */
import { parseArgs } from 'node:util'
import { capacityOf, ratesOf } from '../../durable-objects/governor/capacity'
import { createLending } from '../../durable-objects/governor/lending'
import { random } from '../../src/core/random'
import type { ModelCall } from '../../src/ports/call-slots'
import { openSql } from '../lib/object'
import { load } from '../lib/processor'
import { quantile } from '../system/loam'

const { values } = parseArgs({
  options: {
    indexing: { type: 'string', default: '300' },
    idle: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '10' },
    calls: { type: 'string', default: '6' }, // open calls of a corpus: the connections of its runner
  },
})
const CALL: ModelCall = { model: '@cf/some/text-model', kind: 'text' }
const SERVICE = { least: 3000, most: 8000 } // ms a model takes for a reply
const PATIENCE = 20_000 // ms a runner waits before it asks again
const KEPT = 150_000
const QUESTIONS = 60 // a minute: more than the fifth that is kept for them would be
const SINGLES = 30 // documents a minute, each of three calls one after another, that idle corpora bring
const CALLS_OF_A_DOCUMENT = 3

type Acquire = (call: ModelCall & { readonly party: string; readonly patience: number }) => Promise<string | null>
interface Lender {
  readonly acquire: Acquire
  readonly release: (id: string) => Promise<void>
  readonly note: (calls: number) => Promise<void>
}

/** Time that only passes when nothing is left to do now. */
class SimulatedClock {
  #now = 1_800_000_000_000
  #order = 0
  readonly #due = new Map<number, { at: number; order: number; then: () => void }>()

  now = (): number => this.#now

  after = (ms: number, then: () => void): (() => void) => {
    const order = this.#order++
    this.#due.set(order, { at: this.#now + ms, order, then })
    return () => void this.#due.delete(order)
  }

  sleep = (ms: number): Promise<void> => new Promise((resolve) => void this.after(ms, resolve))

  async run(until: number): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve)) // every promise that can go on has gone on
      let next: { at: number; order: number; then: () => void } | undefined
      for (const one of this.#due.values()) if (!next || one.at < next.at || (one.at === next.at && one.order < next.order)) next = one
      if (!next || next.at > until) return
      this.#now = next.at
      for (const one of [...this.#due.values()].filter(({ at }) => at === next.at)) {
        this.#due.delete(one.order)
        one.then()
      }
    }
  }
}

function governed(clock: SimulatedClock): Lender {
  let ids = 0
  const rules = {
    capacity: capacityOf(undefined),
    rate: ratesOf(undefined),
    kept: KEPT,
    now: clock.now,
    after: clock.after,
    newId: () => String(ids++),
  }
  const lending = createLending(openSql(), rules)
  return { acquire: lending.acquire, release: (id) => lending.release(id), note: (calls) => lending.note([{ ...CALL, calls }]) }
}

/** The same capacity and rate; whoever waits longest is next. */
function firstCome(clock: SimulatedClock): Lender {
  const capacity = capacityOf(undefined)(CALL.model)
  const { most } = ratesOf(undefined)(CALL)
  const waiting: ((id: string) => void)[] = []
  let [open, ids] = [0, 0]
  let begun: number[] = []
  const lend = (): void => {
    begun = begun.filter((at) => at > clock.now() - 60_000)
    for (; open < capacity && begun.length < most * 0.8 && waiting.length > 0; open++) {
      begun.push(clock.now())
      waiting.shift()?.(String(ids++))
    }
    if (waiting.length > 0 && open < capacity) clock.after(Math.max(1, (begun[0] ?? 0) + 60_001 - clock.now()), lend)
  }
  return {
    acquire: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        lend()
      }),
    release: async () => {
      open--
      lend()
    },
    note: async () => {},
  }
}

async function simulate(make: (clock: SimulatedClock) => Lender) {
  const clock = new SimulatedClock()
  const lender = make(clock)
  const end = clock.now() + Number(values.minutes) * 60_000
  const dice = random('fairness')
  const made = new Map<string, number>()
  const waits: number[] = []
  const called = async (party: string): Promise<void> => {
    let id: string | null = null
    while (id === null) id = await lender.acquire({ ...CALL, party, patience: PATIENCE })
    made.set(party, (made.get(party) ?? 0) + 1)
    await clock.sleep(SERVICE.least + dice.next() * (SERVICE.most - SERVICE.least))
    await lender.release(id)
  }
  const busy = Array.from({ length: Number(values.indexing) }, (_, at) => `busy-${at}`)
  for (const party of busy)
    for (let n = 0; n < Number(values.calls); n++)
      void (async () => {
        await clock.sleep(dice.next() * 2000)
        while (clock.now() < end) await called(party)
      })()
  const every = async (ms: number, work: () => unknown): Promise<void> => {
    for (; clock.now() < end; await clock.sleep(ms)) work()
  }
  void every(60_000 / SINGLES, async () => {
    const party = `idle-${dice.below(Number(values.idle))}`
    const since = clock.now()
    for (let n = 0; n < CALLS_OF_A_DOCUMENT; n++) await called(party)
    waits.push(clock.now() - since)
  })
  void every(1000, () => lender.note(QUESTIONS / 60))
  const used = process.cpuUsage()
  await clock.run(end)
  const { user, system } = process.cpuUsage(used)
  const shares = busy.map((party) => made.get(party) ?? 0)
  const sum = shares.reduce((all, one) => all + one, 0)
  const squares = shares.reduce((all, one) => all + one * one, 0)
  return {
    calls: [...made.values()].reduce((all, one) => all + one, 0),
    least: Math.min(...shares),
    most: Math.max(...shares),
    jain: sum ** 2 / (shares.length * squares),
    single: { done: waits.length, p50: quantile(waits, 0.5) / 1000, p95: quantile(waits, 0.95) / 1000 },
    processor: (user + system) / 1000,
  }
}

console.log(
  `${values.indexing} corpora index with ${values.calls} calls open each, ${values.idle} others bring ${SINGLES} documents a minute in all, ${QUESTIONS} calls of questions a minute; ${values.minutes} minutes\n` +
    '| | calls of indexing | least and most of a busy corpus | Jain’s index | a single document of three calls: done, p50 s, p95 s | ms of the processor a call, simulation included |\n|---|---|---|---|---|---|',
)
for (const [name, make] of [
  ['governor', governed],
  ['first come', firstCome],
] as const) {
  const { calls, least, most, jain, single, processor } = await simulate(make)
  console.log(
    `| ${name} | ${calls} | ${least}, ${most} | ${jain.toFixed(3)} | ${single.done}, ${single.p50.toFixed(1)}, ${single.p95.toFixed(1)} | ${(processor / calls).toFixed(2)} |`,
  )
}
console.log(load())
process.exit()
