import { expect, it } from 'vitest'
import { tellingOfSilence } from '../../../cli/silence'

const answer = (ms: number) => () => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response('there')), ms))
const told = async (url: string, ms: number): Promise<string[]> => {
  const said: string[] = []
  const response = await tellingOfSilence({ fetch: answer(ms), after: 50, tell: (text) => void said.push(text) })(new Request(url))
  expect(await response.text()).toBe('there')
  return said
}

it('[N1990] a service that says nothing for long is named, once; one that answers, or was asked to wait, is not', async () => {
  expect(await told('http://127.0.0.1:9/v1/corpora', 250)).toEqual([
    expect.stringMatching(/^Still waiting: 127\.0\.0\.1:9 has not answered/),
  ])
  expect(await told('http://127.0.0.1:9/v1/corpora', 0)).toEqual([])
  expect(await told('http://127.0.0.1:9/v1/corpora/a/jobs/j?wait=30', 250)).toEqual([])
})

it('[N1990] what fails meanwhile fails as it would, and nothing is said of it afterwards', async () => {
  const said: string[] = []
  const refused = tellingOfSilence({ fetch: () => Promise.reject(new Error('refused')), after: 20, tell: (text) => void said.push(text) })
  await expect(refused(new Request('http://127.0.0.1:9/'))).rejects.toThrow('refused')
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(said).toEqual([])
})
