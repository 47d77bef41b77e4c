/** When to try again, and where a page ends. */
import { expect, it } from 'vitest'
import { backoff, retry } from '../../src/core/backoff'
import { pageOf } from '../../src/core/page'

it('a pause is doubled after each failure, up to a bound, and overflows never', () => {
  expect([1, 2, 3, 4].map((failures) => backoff(failures, { first: 100, max: 500 }))).toEqual([100, 200, 400, 500])
  expect([1, 2, 3].map((failures) => backoff(failures, { first: 10, factor: 3 }))).toEqual([10, 30, 90])
  expect(backoff(1e6, { first: 1 })).toBe(2 ** 20)
})

it('a call is repeated after the pauses asked for, until an error stands', async () => {
  const slept: number[] = []
  const time = {
    pauseAfter: (_: unknown, failures: number) => (failures < 3 ? failures : undefined),
    sleep: async (ms: number) => void slept.push(ms),
  }
  let calls = 0
  const failing = async (): Promise<string> => {
    if (++calls < 3) throw new Error(`failure ${calls}`)
    return 'done'
  }
  expect([await retry(failing, time), slept]).toEqual(['done', [1, 2]])
  calls = -9
  await expect(retry(failing, time)).rejects.toThrow('failure -6')
})

it('a page ends where one row more than it may hold begins', () => {
  expect(pageOf([1, 2, 3], 2, String)).toEqual({ data: [1, 2], next_cursor: '2' })
  expect(pageOf([1, 2], 2, String)).toEqual({ data: [1, 2], next_cursor: null })
  expect(pageOf<number>([], 2, String)).toEqual({ data: [], next_cursor: null })
})
