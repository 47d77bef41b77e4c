/** Which replica a question is sent to, and what becomes of one that none answers. */
import { expect, it } from 'vitest'
import { type ReplicasParts, replicas } from '../../../src/adapters/replicas'
import { random } from '../../../src/core/random'
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
    ask: (request = question) => chosen.before(writer, 'u', { count }).retrieve(request),
    reading: () => chosen.before(writer, 'u', { count }),
    before: (corpus: CorpusObject) => chosen.before(corpus, 'u', { count }),
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
