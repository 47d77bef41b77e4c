/** Objects of a corpus in partitions, of which there are others than a moment ago. */
import { expect, it } from 'vitest'
import { ofPartitions, perhapsDivided } from '../../../src/adapters/divided'
import {
  corpusUidOf,
  dedicatedOf,
  isInPartitions,
  jurisdictionOf,
  newUid,
  partitionKey,
  partitionSetOf,
  partitionUids,
  uidsOfSet,
} from '../../../src/corpus-uid'
import { type Layout, MOVED, rememberLayout } from '../../../src/partition-layout'

it('[P2405] an isolate that knows the old partitions asks which there are when they refuse, and calls again', async () => {
  const uid = newUid({ partitions: 2 })
  const now: Layout = { n: 2, set: 1, count: 3, other: { set: 0, count: 2 } }
  let asked = 0
  const called: string[] = []
  const make = (parts: readonly string[]) => ({
    async view() {
      called.push(`${parts.length} ${parts[0]}`)
      if (parts.length === 2) throw new Error(MOVED)
      return 'seen'
    },
    async jobs() {
      throw new Error('down')
    },
  })
  const layout = async () => {
    asked++
    return now
  }
  rememberLayout(uid, null) // read a moment ago, as its uid says
  const old = partitionUids(uid)
  const object = ofPartitions(uid, { view: 'again', jobs: 'again' }, make, layout)
  expect(await object.view()).toBe('seen')
  expect([asked, called]).toEqual([1, [`2 ${old[0]}`, `3 ${partitionUids(uid)[0]}`]])
  expect(new Set([...old, ...partitionUids(uid)]).size).toBe(5)
  await expect(object.jobs()).rejects.toThrow('down')
  expect(asked).toBe(1)
  // What an older copy of the catalogue says is not believed.
  rememberLayout(uid, { n: 1, set: 0, count: 2, other: { set: 1, count: 3 } })
  expect(partitionUids(uid).length).toBe(3)
})

it('[P2405] what was read long ago, or never, is read before the first call', async () => {
  const uid = newUid({ partitions: 2 })
  let asked = 0
  const make = (parts: readonly string[]) => ({ view: async () => parts.length })
  const layout = async (): Promise<Layout> => {
    asked++
    return { n: 4, set: 2, count: 5 }
  }
  const object = ofPartitions(uid, { view: 'again' }, make, layout)
  expect([await object.view(), await object.view(), asked]).toEqual([5, 5, 1])
  rememberLayout(uid, { n: 4, set: 2, count: 5 }, Date.now() - 60_000)
  expect([await object.view(), asked]).toEqual([5, 2])
})

it('[P2474] who calls a corpus that has been divided since is refused, reads where its documents are, and calls again; nobody else reads anything', async () => {
  const uid = newUid()
  let [asked, isDivided] = [0, false]
  const called: string[] = []
  const alone = {
    async view() {
      called.push('alone')
      if (isDivided) throw new Error(MOVED)
      return 'one'
    },
    async jobs() {
      throw new Error('down')
    },
  }
  const divided = { view: async () => `${partitionUids(uid).length} parts`, jobs: async () => 'jobs' }
  const layout = async (): Promise<Layout> => {
    asked++
    return asked === 1 ? { n: 1, set: 0, count: 1, other: { set: 1, count: 8 } } : { n: 2, set: 1, count: 8, other: { set: 0, count: 1 } }
  }
  const object = perhapsDivided(uid, { view: 'again', jobs: 'again' }, alone, () => divided, layout)
  expect([await object.view(), asked, isInPartitions(uid)]).toEqual(['one', 0, false])
  isDivided = true
  expect([await object.view(), asked, called.length]).toEqual(['8 parts', 2, 3])
  expect([await object.view(), await object.jobs(), called.length, isInPartitions(uid)]).toEqual(['8 parts', 'jobs', 3, true])
  // Its own object is never among those of its partitions.
  expect(partitionUids(uid)).not.toContain(uid)
})

it('[P2470] the uids of partitions follow from that of a corpus that was made without any, and its from theirs', () => {
  const places = [
    {},
    { jurisdiction: 'eu' },
    { jurisdiction: 'fedramp' },
    { dedicated: 3 },
    { jurisdiction: 'fedramp', dedicated: 12 },
  ] as const
  for (const place of places) {
    for (let n = 0; n < 50; n++) {
      const uid = newUid(place)
      const uids = [1, 2, 20].flatMap((set) => uidsOfSet(uid, { set, count: 64 }))
      expect(uids.filter((one) => one.length > 32 || corpusUidOf(one) !== uid || partitionSetOf(one) !== null)).toEqual([])
      expect(new Set(uids.map((one) => `${jurisdictionOf(one)} ${dedicatedOf(one)}`))).toEqual(
        new Set([`${jurisdictionOf(uid)} ${dedicatedOf(uid)}`]),
      )
      expect([new Set(uids).size, new Set(uids.slice(0, 128).map(partitionKey)).size]).toEqual([128, 128]) // 20 sets later, its letter is free
      expect([corpusUidOf(uid), uidsOfSet(uid, { set: 0, count: 1 })]).toEqual([uid, [uid]])
    }
  }
})
