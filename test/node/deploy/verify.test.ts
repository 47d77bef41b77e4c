/** `npm run verify:cloud` against a local Loam: all holds, nothing is left; what fails is said, and nothing is left then either. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLoam } from '../../../scripts/start.mjs'
import { type Report, verify } from '../../../scripts/verify-cloud/verify'
import { Loam } from '../../../src/client/client'
import { repository } from './account'
import { modelServer } from './model-server'

const state = mkdtempSync(join(tmpdir(), 'loam-verify-'))
let models: Awaited<ReturnType<typeof modelServer>>
let loam: Awaited<ReturnType<typeof startLoam>>

beforeAll(async () => {
  models = await modelServer()
  // Named as those of the account, so that they have prices.
  const env = {
    LOCAL_MODEL_URL: models.url,
    LOCAL_TEXT_MODEL: '@cf/qwen/qwen3-30b-a3b-fp8',
    LOCAL_RERANKER_MODEL: '@cf/baai/bge-reranker-base',
  }
  loam = await startLoam({ port: 0, state, quiet: true, env: { ...process.env, ...env } })
})
afterAll(async () => {
  await loam?.stop()
  models?.stop()
  rmSync(state, { recursive: true, force: true })
})

const left = async (): Promise<string[]> => {
  const admin = new Loam({ url: loam.url, key: loam.key })
  const [corpora, keys] = await Promise.all([admin.corpora(), admin.keys()])
  return [...corpora.data.map((one) => one.corpus), ...keys.data.map((one) => one.name)]
}
const failed = (report: Report): string[] =>
  report.outcomes.flatMap(({ name, state, note }) => (state === 'failed' ? [`${name}: ${note}`] : []))

function command(args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string; readonly all: string }> {
  const child = spawn(process.execPath, [join(repository, 'scripts/verify-cloud.mjs'), ...args], { cwd: repository })
  let [out, all] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    all += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    all += text
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, all })))
}

it('[Y30] all of it holds against the local Loam with every model, for less than a cent, and nothing is left', async () => {
  const { code, out, all } = await command([loam.url, loam.key, '--json'])
  const report = JSON.parse(out) as Report
  expect(failed(report)).toEqual([])
  expect([code, all.includes(loam.key)]).toEqual([0, false])
  const notes = Object.fromEntries(report.outcomes.map(({ name, note }) => [name, note]))
  expect(notes['answered, each citation letter for letter']).toBe('model')
  // The encoder that comes with Loam embeds here, which calls no model.
  expect(notes['each model that is configured has answered']).toMatch(/text [1-9]\d*, reranker [1-9]\d*, embedding 0/)
  expect(report.cost.models).toBeGreaterThan(0)
  expect(report.cost.models + report.cost.rows).toBeLessThan(0.01)
  expect(report.latencies.find(({ request }) => request === 'POST search')?.calls).toBeGreaterThan(20)
  expect(await left()).toEqual([])
})

it('[Y30] what does not hold is named, the rest is checked, and nothing is left', async () => {
  // A deployment whose questions find nothing.
  const fetch = async (request: Request): Promise<Response> => {
    const reply = await globalThis.fetch(request)
    if (!request.url.endsWith('/search') || !reply.ok) return reply
    return Response.json({ ...((await reply.json()) as object), evidence: [] })
  }
  const report = await verify({ url: loam.url, key: loam.key, fetch })
  expect(failed(report).filter((one) => one.startsWith('found by')).length).toBe(9)
  expect(report.outcomes.find(({ name }) => name === 'documents in, as one version')?.state).toBe('held')
  expect(report.outcomes.at(-1)).toMatchObject({ name: 'nothing is left behind', state: 'held' })
  expect([report.left, await left()]).toEqual([[], []])
})

it('[Y30] an interruption removes what was made and is no success', async () => {
  const interrupted = new AbortController()
  const report = await verify({
    url: loam.url,
    key: loam.key,
    signal: interrupted.signal,
    onOutcome: ({ name }) => (name === 'found by auto' ? interrupted.abort() : undefined),
  })
  expect(failed(report)).toContain('all checks made: it ended early')
  expect([report.left, await left()]).toEqual([[], []])
})

it('[Y30] without an address and a key it says how it is called', async () => {
  expect(await command(['nowhere'])).toMatchObject({
    code: 2,
    all: expect.stringContaining('usage: npm run verify:cloud -- <url> <admin key>'),
  })
})
