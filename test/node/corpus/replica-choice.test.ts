/** Which replica a question is sent to, and what becomes of one that none answers. */
import { expect, it } from 'vitest'
import { type ReplicaLoad, replicaLoad, WRITER } from '../../../src/adapters/replica-load'
import { type ReplicasParts, replicas } from '../../../src/adapters/replicas'
import { random } from '../../../src/core/random'
import type { ReplicaSettings } from '../../../src/core/settings'
import type { CorpusObject } from '../../../src/ports/object'
import type { RetrieveRequest, RetrieveResult } from '../../../src/ports/retrieval'

const question = { text: 'mill' } as RetrieveRequest
const found = (by: string, version = 1) => ({ kind: 'evidence', evidence: [], version, by }) as unknown as RetrieveResult

type Answer = Awaited<ReturnType<ReturnType<ReplicasParts['replica']>['retrieve']>>

function world(count: number, answer: (number: number) => Answer | Promise<Answer>, isCutOff = false) {
  const asked = new Map<number, number>()
  let time = 0
  const chosen = replicas({
    replica: () => ({
      async retrieve({ number }) {
        asked.set(number, (asked.get(number) ?? 0) + 1)
        return answer(number)
      },
    }),
    now: () => time,
    lot: random('replicas').next,
    after: (ms) => new Promise((resolve) => void (isCutOff || setTimeout(resolve, ms / 1000))),
  })
  const writer = { retrieve: async () => found('writer', 9) } as unknown as CorpusObject
  return {
    asked,
    pass: (ms: number) => {
      time += ms
    },
    ask: (request = question) => chosen.before(writer, 'u', { count, least: count }).retrieve(request),
    reading: () => chosen.before(writer, 'u', { count, least: count }),
    before: (corpus: CorpusObject) => chosen.before(corpus, 'u', { count, least: count }),
  }
}
const servedBy = (result: RetrieveResult): string | undefined => (result.kind === 'evidence' ? result.served?.by : result.kind)

it('[S1582] of two taken by lot the one with less to do answers: all are asked, and one that is slow less than the others', async () => {
  const even = world(4, (number) => found(`${number}`))
  for (let n = 0; n < 400; n++) await even.ask()
  for (const number of [1, 2, 3, 4]) expect(even.asked.get(number)).toBeGreaterThan(40)
  // Two that do not answer yet: what is asked meanwhile goes to the third where it is one of the two.
  const busy = world(3, (number) => (number < 3 ? new Promise(() => undefined) : found('3')))
  const open = Array.from({ length: 60 }, () => busy.ask())
  expect((await Promise.all(open)).map(servedBy)).toContain('writer')
  expect(busy.asked.get(3)).toBeGreaterThan(10)
})

it('[S1582] a question whose caller has gone counts as open no longer than a replica is waited for', async () => {
  // The runtime ends what runs for a caller that has gone: what the first is asked never comes back.
  const left = world(2, (number) => (number === 1 ? new Promise(() => undefined) : found('2')), true)
  const ask = async (times: number, pause: number) => {
    for (let n = 0; n < times; n++) {
      await Promise.race([left.ask(), new Promise((resolve) => setTimeout(resolve, 2))])
      left.pass(pause)
    }
    return left.asked.get(1) ?? 0
  }
  expect(await ask(20, 0)).toBe(1)
  expect(await ask(20, 3001)).toBeGreaterThan(4)
})

it('[S1591] what a replica cannot answer the corpus does, also where it is silent or fails; it is then left alone for a while', async () => {
  let answer: () => Answer | Promise<Answer> = () => ({ kind: 'unready' })
  const one = world(1, () => answer())
  expect([servedBy(await one.ask()), servedBy(await one.ask()), one.asked.get(1)]).toEqual(['writer', 'writer', 1])
  for (const fault of [() => Promise.reject(new Error('away')), () => new Promise<never>(() => undefined)]) {
    one.pass(60_000)
    answer = fault
    expect(servedBy(await one.ask())).toBe('writer')
  }
  expect(one.asked.get(1)).toBe(3)
  one.pass(60_000)
  answer = () => ({ kind: 'behind', version: 0 }) // `min_version` is the corpus's own to wait for
  expect([servedBy(await one.ask()), servedBy(await one.ask()), one.asked.get(1)]).toEqual(['writer', 'writer', 5])
})

it('[S1591] a question is answered by one of them from beginning to end, and by the corpus itself where something is to be set aside for it', async () => {
  const four = world(4, () => ({ kind: 'wanted', pairs: [], version: 3 }))
  const reading = four.reading()
  for (let n = 0; n < 5; n++) await reading.retrieve(question)
  expect([...four.asked.values()]).toEqual([5])
  expect(servedBy(await four.ask({ ...question, hold: {} } as RetrieveRequest))).toBe('writer')
})

it('[V2143] a document, its own graph with it, is asked of the corpus itself, whichever replica answers questions', async () => {
  const asked = world(2, (number) => found(`${number}`))
  const shown = { document: 'mill', graph: { entities: 1, relations: 0 } }
  const writer = { retrieve: async () => found('writer'), document: async () => shown, seen: async () => 'seen' } as unknown as CorpusObject
  const reading = asked.before(writer)
  await reading.retrieve(question)
  expect(await reading.document('mill')).toBe(shown)
  expect(await reading.seen({ documents: ['mill'], withOutlines: true })).toBe('seen') // as exports read it
  expect([...asked.asked.values()]).toEqual([1])
})

/** A clock, and replicas of which each question is answered by whoever the test lets answer. */
function loaded(): { readonly load: ReplicaLoad; pass(ms: number): void; ask(settings: ReplicaSettings, ms: number): number } {
  let time = 0
  const load = replicaLoad({ now: () => time, lot: random('load').next })
  const pass = (ms: number): void => {
    time += ms
  }
  return {
    load,
    pass,
    ask(settings, ms) {
      const number = load.choose('u', settings)
      const asked = load.begin('u', number)
      pass(ms)
      asked.answered()
      return number
    },
  }
}

const askedOf = (times: number, ask: () => number): ReadonlySet<number> => new Set(Array.from({ length: times }, ask))

/** So many questions that come at once and take 30 ms: who is asked. */
function burst({ load, pass }: ReturnType<typeof loaded>, settings: ReplicaSettings, length: number): readonly number[] {
  const open = Array.from({ length }, () => {
    const number = load.choose('u', settings)
    return { number, asked: load.begin('u', number) }
  })
  pass(30)
  for (const { asked } of open) asked.answered()
  return open.map(({ number }) => number)
}

it('[S2340] one replica is asked while it keeps up, more while those in use are busy, up to `count`; one fewer after each minute in which none was', () => {
  const all = loaded()
  const three = { count: 3 }
  const one = () => all.ask(three, 30)
  const busy = () => Math.max(...burst(all, three, 12))
  const calm = () => new Set(Array.from({ length: 40 }, () => burst(all, three, 2)).flat()).size // two at a time keep none busy
  expect(askedOf(200, one)).toEqual(new Set([1]))
  expect(calm()).toBe(1)
  expect([busy(), busy(), busy()]).toEqual([2, 2, 2]) // no third before two seconds have passed
  all.pass(2001)
  expect([busy(), busy()]).toEqual([3, 3])
  all.pass(10_000)
  expect([busy(), calm()]).toEqual([3, 3])
  all.pass(60_001)
  expect(calm()).toBe(2)
  all.pass(60_001)
  expect(calm()).toBe(1)
})

it('[S2340] answers that are slower than before show that others ask, too: another replica joins, and the corpus itself helps', () => {
  const { ask, pass } = loaded()
  const two = { count: 2 }
  expect(askedOf(100, () => ask(two, 30))).toEqual(new Set([1]))
  pass(2001)
  expect(askedOf(100, () => ask(two, 60))).toEqual(new Set([1]))
  expect(askedOf(100, () => ask(two, 400))).toEqual(new Set([1, WRITER, 2]))
})

it('[S2340] two questions that happen to come at once make no other join', () => {
  const all = loaded()
  const asked = Array.from({ length: 200 }, (_, n) => [all.ask({ count: 8 }, 30), ...(n % 10 === 0 ? burst(all, { count: 8 }, 3) : [])])
  expect(Math.max(...asked.flat())).toBe(1)
})

it('[S2340] one that was slow is asked again after fifteen seconds: who is not asked cannot show that it is fast again', () => {
  const { ask, pass } = loaded()
  const one = { count: 1 }
  askedOf(100, () => ask(one, 30))
  const later = Array.from({ length: 40 }, () => ask(one, 400))
  expect(later).toContain(WRITER)
  for (let n = 0; n < 20; n++) {
    pass(15_001)
    expect(ask(one, 30)).toBe(1)
  }
  expect(askedOf(40, () => ask(one, 30))).toEqual(new Set([1]))
})

it('[S2340] no more join at a time than are in use already, where those that have joined still copy the corpus', () => {
  const { load, pass } = loaded()
  const ready = new Set([1])
  const busyFor = (ms: number): number => {
    let most = 0
    for (const left = { turns: ms / 500 }; left.turns > 0; left.turns--) {
      const open = Array.from({ length: 24 }).flatMap(() => {
        const number = load.choose('u', { count: 16 })
        most = Math.max(most, number)
        const asked = load.begin('u', number)
        if (number === WRITER || ready.has(number)) return asked
        asked.failed(true)
        return []
      })
      pass(500)
      for (const one of open) one.answered()
    }
    return most
  }
  expect(busyFor(60_000)).toBe(2)
  for (const number of [2, 3, 4]) ready.add(number)
  expect(busyFor(60_000)).toBe(8)
})

it('[S2341] as many as `least` are always asked; without it one, or one for each location', () => {
  const askedWith = (settings: ReplicaSettings) => {
    const { ask } = loaded()
    return askedOf(100, () => ask(settings, 30)).size
  }
  expect([{ count: 4, least: 3 }, { count: 4 }, { count: 4, locations: ['weur', 'apac'] }, { count: 1, least: 3 }].map(askedWith)).toEqual([
    3, 1, 2, 1,
  ])
})
