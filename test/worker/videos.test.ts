/** A video in the running worker: its sound goes to the model that transcribes, and what is said is found and cited with its time. */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '../../src/env'
import { transcriptionLimits } from '../../src/platform-limits'
import { soundOfVideo } from '../../src/reading/video/sound-of-video'
import worker from '../../src/worker'
import { CLIP_WEBM, LATE_MP4 } from '../videos'
import { ended } from './waiting'

const BASE = `/v1/corpora/videos-${Date.now().toString(36)}`
const heard: Uint8Array[] = []
const world = env as unknown as Env

/** Whisper, which hears the same in whatever is sent first, and second. */
const SAID = [
  [' The council meets in the old library.', ' It votes on Thursday evenings.'],
  [' The grey heron of Norhaven waits by the mill pond.', ' The heron eats eels and small frogs.'],
]
const AI = {
  async run(model: string, inputs: { readonly audio?: string }, ...options: unknown[]): Promise<unknown> {
    if (model !== transcriptionLimits.model) return (world.AI.run as (...of: unknown[]) => Promise<unknown>)(model, inputs, ...options)
    heard.push(Uint8Array.from(atob(inputs.audio ?? ''), (letter) => letter.charCodeAt(0)))
    const said = SAID[heard.length - 1] ?? []
    const segments = said.map((text, n) => ({ start: n * 62, end: n * 62 + 4, text }))
    return { transcription_info: { duration: 70 }, text: '', segments }
  },
}

async function call(method: string, path: string, body?: BodyInit, type = 'application/json') {
  const headers = { authorization: 'Bearer local-development-key', ...(body === undefined ? {} : { 'content-type': type }) }
  const request = new Request(`https://loam.test${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  const given = { ...world, AI, CONVERSION: 'on' } as unknown as Env
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], given, createExecutionContext())
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
  return { status: response.status, body: (await response.json()) as any }
}

it('[H2000] comes in by its sound, and is cited with its time', async () => {
  await call('PUT', BASE, JSON.stringify({ strategies: [], settings: { recordings: { transcribe: true } } }))
  for (const [id, video, type] of [
    ['pond.webm', CLIP_WEBM, 'video/webm'],
    ['late.mp4', LATE_MP4, 'video/mp4'],
  ] as const) {
    const { status, body } = await call('PUT', `${BASE}/documents/${id}?url=https://example.org/${id}`, video, type)
    expect([id, status]).toEqual([id, 202])
    await ended(body.job, async () => (await call('GET', `${BASE}/jobs/${body.job}?wait=20`)).body)
  }
  const sounds = [CLIP_WEBM, LATE_MP4].map((video) => soundOfVideo(video, transcriptionLimits.maxBytes))
  expect(heard).toEqual(sounds.map((sound) => sound.kind === 'sound' && sound.recording.bytes))
  for (const [query, citation] of [
    [
      'What does the heron eat?',
      { document: 'late.mp4', quote: 'The heron eats eels and small frogs.', link: 'https://example.org/late.mp4#t=63' },
    ],
    [
      'When does the council vote?',
      { document: 'pond.webm', quote: 'It votes on Thursday evenings.', link: 'https://example.org/pond.webm#t=62' },
    ],
  ] as const) {
    const { body } = await call('POST', `${BASE}/query`, JSON.stringify({ query }))
    expect(body.citations).toContainEqual(expect.objectContaining({ ...citation, described: true }))
  }
})
