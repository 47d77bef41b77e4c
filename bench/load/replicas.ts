/**
 * Which rate of questions a corpus with replicas answers, and how many take part: the product's own choice of replicas with a simulated clock, and the processor time of real questions of
 * `auto` to an object of so many passages, measured first. Arrivals are random (Poisson) at many isolates; each replica and the corpus's object answer one question after the other.
 *   npm run bench load/replicas [-- --passages 10000 --rates 10,50,200,1000 --count 32 --isolates 40]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Asked, PATIENCE, type ReplicaLoad, replicaLoad, WRITER } from '../../src/adapters/replica-load'
import { type Random, random } from '../../src/core/random'
import { defaultStrategies } from '../../src/core/strategies/registry'
import { load } from '../lib/processor'
import { Corpus, type Page } from '../scale/corpus'
import { GrowingObject } from '../scale/growing-object'
import { quantile } from '../system/loam'

const { values } = parseArgs({
  options: {
    passages: { type: 'string', default: '10000' },
    questions: { type: 'string', default: '200' }, // measured
    rates: { type: 'string', default: '10,50,200,1000' }, // a second
    count: { type: 'string', default: '32' },
    isolates: { type: 'string', default: '40' },
  },
})
const [FIRST, RAMP, HELD] = [60_000, 300_000, 240_000] // ms: at a tenth of the rate, on the way to it, and at it
const WAY = { least: 1, most: 5 } // ms there, and as many back
const COPYING = 30_000 // ms from its first question until a replica answers
const ASLEEP = 300_000 // ms without a question after which it forgets
const QUEUE = 10_000 // ms of work that wait at an object, beyond which the platform refuses as overloaded
const BATCH = 320_000 // bytes

/** ms of the processor, of questions one after the other. */
async function measured(passages: number, questions: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loam-replicas-'))
  try {
    const [object, corpus] = [new GrowingObject(join(folder, 'object.db'), defaultStrategies), new Corpus('replicas')]
    let next = 0
    while (object.context.graph.count('passage') < passages) {
      const pages: Page[] = []
      for (let bytes = 0; bytes < BATCH; bytes += pages.at(-1)?.text.length ?? 0) pages.push(corpus.page(next++))
      await object.take(pages)
    }
    for (let n = 0; n < questions; n++) object.ask(corpus, n, next) // what is asked often is in the caches
    return Array.from({ length: questions }, (_, n) => object.ask(corpus, n, next).cpu)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** One thread with a queue. */
class Server {
  #freeAt = 0
  busy = 0

  /** When it has answered; undefined: its queue is too long, it refuses. */
  take(now: number, ms: number): number | undefined {
    if (this.#freeAt - now > QUEUE) return undefined
    this.#freeAt = Math.max(now, this.#freeAt) + ms
    this.busy += ms
    return this.#freeAt
  }
}

class Replica extends Server {
  #begunAt = Number.NEGATIVE_INFINITY
  #askedAt = Number.NEGATIVE_INFINITY

  isReady(now: number): boolean {
    if (now - this.#askedAt > ASLEEP) this.#begunAt = now
    this.#askedAt = now
    return now - this.#begunAt >= COPYING
  }
}

/** What happens later, the earliest first: a binary heap. */
class Agenda {
  readonly #due: { at: number; then: () => void }[] = []

  add(at: number, then: () => void): void {
    const all = this.#due
    let i = all.push({ at, then }) - 1
    for (let up = (i - 1) >> 1; i > 0 && at < (all[up]?.at ?? 0); up = (i - 1) >> 1) {
      ;[all[i], all[up]] = [all[up] as (typeof all)[0], all[i] as (typeof all)[0]]
      i = up
    }
  }

  next(): { at: number; then: () => void } | undefined {
    const all = this.#due
    const [first, last] = [all[0], all.pop()]
    if (!first || !last || all.length === 0) return first
    all[0] = last
    for (let i = 0; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2]
      let least = i
      if (left < all.length && (all[left]?.at ?? 0) < (all[least]?.at ?? 0)) least = left
      if (right < all.length && (all[right]?.at ?? 0) < (all[least]?.at ?? 0)) least = right
      if (least === i) return first
      ;[all[i], all[least]] = [all[least] as (typeof all)[0], all[i] as (typeof all)[0]]
      i = least
    }
  }
}

interface Run {
  readonly rate: number
  readonly count: number
  readonly least?: number
  readonly isolates: number
  readonly times: readonly number[]
}

interface Waits {
  readonly all: number[]
  byWriter: number
  refused: number
}

function simulate({ rate, count, least, isolates, times }: Run) {
  const dice: Random = random(`${rate} ${count} ${least}`)
  let now = 0
  const agenda = new Agenda()
  const settings = { count, ...(least === undefined ? {} : { least }) }
  const loads: ReplicaLoad[] = Array.from({ length: isolates }, () => replicaLoad({ now: () => now, lot: dice.next }))
  const [writer, replicas] = [new Server(), Array.from({ length: count }, () => new Replica())]
  const [ramp, held]: [Waits, Waits] = [
    { all: [], byWriter: 0, refused: 0 },
    { all: [], byWriter: 0, refused: 0 },
  ]
  const way = (): number => WAY.least + dice.next() * (WAY.most - WAY.least)

  const waitsOf = (since: number): Waits | undefined => (since >= FIRST + RAMP ? held : since >= FIRST ? ramp : undefined)
  const answer = (since: number, isWriter: boolean): void => {
    const waits = waitsOf(since)
    waits?.all.push(now - since)
    if (waits && isWriter) waits.byWriter++
  }
  const refuse = (since: number): void => {
    const waits = waitsOf(since)
    if (waits) waits.refused++
  }
  const byWriter = (since: number, ms: number, asked?: Asked): void => {
    const [there, back] = [way(), way()]
    agenda.add(now + there, () => {
      const done = writer.take(now, ms)
      agenda.add((done ?? now) + back, () => {
        asked?.answered()
        if (done === undefined) refuse(since)
        else answer(since, true)
      })
    })
  }
  const byReplica = (since: number, ms: number, replica: Replica, isolate: { readonly load: ReplicaLoad; readonly asked: Asked }): void => {
    const [there, back] = [way(), way()]
    let isOver = false
    const fail = (isUnready: boolean) => (): void => {
      if (isOver) return
      isOver = true
      isolate.asked.failed(isUnready)
      byWriter(since, ms, isolate.load.begin('u', WRITER))
    }
    agenda.add(now + there, () => {
      if (!replica.isReady(now)) return agenda.add(now + back, fail(true))
      const done = replica.take(now, ms)
      if (done === undefined) return agenda.add(now + back, fail(false))
      agenda.add(done + back, () => {
        if (isOver) return
        isOver = true
        isolate.asked.answered()
        answer(since, false)
      })
      agenda.add(since + PATIENCE, fail(false))
    })
  }
  const arrive = (): void => {
    const share = now < FIRST ? 0.1 : Math.min(1, 0.1 + (0.9 * (now - FIRST)) / RAMP)
    agenda.add(now - (1000 * Math.log(1 - dice.next())) / (rate * share), arrive)
    const [load, ms] = [loads[dice.below(isolates)] as ReplicaLoad, times[dice.below(times.length)] ?? 0]
    const number = count > 0 ? load.choose('u', settings) : WRITER
    const asked = load.begin('u', number)
    const replica = replicas[number - 1]
    if (replica) byReplica(now, ms, replica, { load, asked })
    else byWriter(now, ms, asked)
  }
  arrive()
  let heldFrom: readonly number[] | undefined
  for (let next = agenda.next(); next && next.at <= FIRST + RAMP + HELD; next = agenda.next()) {
    now = next.at
    if (now >= FIRST + RAMP) heldFrom ??= replicas.map(({ busy }) => busy)
    next.then()
  }
  const shares = replicas.map(({ busy }, i) => (busy - (heldFrom?.[i] ?? 0)) / HELD)
  return { ramp, held, used: shares.filter((one) => one > 0.001).length, mean: shares.reduce((sum, one) => sum + one, 0) }
}

const times = await measured(Number(values.passages), Number(values.questions))
const mean = times.reduce((sum, one) => sum + one, 0) / times.length
console.log(
  `a question of \`auto\` at ${values.passages} passages: mean ${mean.toFixed(1)} ms of the processor, p50 ${quantile(times, 0.5).toFixed(1)}, p95 ${quantile(times, 0.95).toFixed(1)}; ${load()}`,
)
console.log(
  '| questions a second | replicas: at most, at least | in use | each busy | answered by the corpus itself | p50, p99; refused | p99 on the way to that rate; refused |\n|---|---|---|---|---|---|---|',
)
const count = Number(values.count)
for (const rate of values.rates.split(',').map(Number)) {
  for (const one of [{ count: 0 }, { count }, { count, least: count }]) {
    const { ramp, held, used, mean: sum } = simulate({ ...one, rate, isolates: Number(values.isolates), times })
    const of = (waits: Waits, p: number): string => (waits.all.length > 0 ? `${quantile(waits.all, p).toFixed(0)} ms` : '–')
    const refusedOf = ({ all, refused }: Waits): string => `${((100 * refused) / Math.max(1, all.length + refused)).toFixed(1)} %`
    const share = (100 * held.byWriter) / Math.max(1, held.all.length)
    console.log(
      `| ${rate} | ${one.count}, ${one.least ?? (one.count > 0 ? 1 : 0)} | ${used} | ${used > 0 ? `${((100 * sum) / used).toFixed(0)} %` : '–'} | ${share.toFixed(1)} % | ${of(held, 0.5)}, ${of(held, 0.99)}; ${refusedOf(held)} | ${of(ramp, 0.99)}; ${refusedOf(ramp)} |`,
    )
  }
}
process.exit(0)
