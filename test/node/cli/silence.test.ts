import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { tellingOfSilence } from '../../../cli/silence'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What is said within a minute of asking a service that answers after `ms`. */
async function told(url: string, ms: number): Promise<string[]> {
  const said: string[] = []
  const fetch = () => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response('there')), ms))
  const answer = tellingOfSilence({ fetch, tell: (text) => void said.push(text) })(new Request(url))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await (await answer).text()).toBe('there')
  return said
}

it('[N1990] a service that says nothing for long is named, once; one that answers, or was asked to wait, is not', async () => {
  expect(await told('http://127.0.0.1:9/v1/corpora', 40_000)).toEqual([
    'Still waiting: 127.0.0.1:9 has not answered for 15 s. Ctrl-C stops it.',
  ])
  expect(await told('http://127.0.0.1:9/v1/corpora', 14_000)).toEqual([])
  expect(await told('http://127.0.0.1:9/v1/corpora/a/jobs/j?wait=30', 40_000)).toEqual([])
})

it('[N1990] what fails meanwhile fails as it would, and nothing is said of it afterwards', async () => {
  const said: string[] = []
  const refused = tellingOfSilence({ fetch: () => Promise.reject(new Error('refused')), tell: (text) => void said.push(text) })
  await expect(refused(new Request('http://127.0.0.1:9/'))).rejects.toThrow('refused')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(said).toEqual([])
})
