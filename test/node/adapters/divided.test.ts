/** Objects of a corpus in partitions, of which there are others than a moment ago. */
import { expect, it } from 'vitest'
import { ofPartitions } from '../../../src/adapters/divided'
import { newUid, partitionUids } from '../../../src/corpus-uid'
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
