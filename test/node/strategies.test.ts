/** A strategy is one folder and one entry of the list: with a toy on it, all of Loam knows the toy. */
import '../core/strategies/toy/added'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askable as inHelp, optional as inHelpOfInit } from '../../cli/strategy-names'
import { startLoam } from '../../scripts/lib/start-loam.mjs'
import { Loam } from '../../src/client/client'
import shipped from '../../src/contract/strategies.json'
import { declarations } from '../../src/core/strategies/index'
import { listing } from '../../src/core/strategies/listing'
import { askable, optionalOf } from '../../ui/src/strategies/strategies'
import { toy } from '../core/strategies/toy/declaration'

const state = mkdtempSync(join(tmpdir(), 'loam-toy-'))
const listed = listing(declarations)
let loam: Awaited<ReturnType<typeof startLoam>>
const PATIENCE = 120_000 // ms, for the documents

beforeAll(async () => {
  loam = await startLoam({ port: 0, state, quiet: true, entry: 'test/worker/toy-main.ts' })
})
afterAll(async () => {
  await loam?.stop()
  rmSync(state, { recursive: true, force: true })
})

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${loam.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${loam.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: any of the API's answers
  return { status: response.status, text, body: (text.startsWith('{') && !text.includes('\n{') ? JSON.parse(text) : undefined) as any }
}

const TEXT = 'Herons stand in the shallows. They eat fish at dawn, and sleep in tall trees by the lake.'

describe('a strategy added to the list', () => {
  it('[S200] is switched on with settings of its own, within its bounds, and shows them', async () => {
    const wrong = await call('PUT', '/v1/corpora/birds', { strategies: ['toy'], settings: { toy: { headline_words: 99 } } })
    const unknown = await call('PUT', '/v1/corpora/birds', { strategies: ['toy'], settings: { toy: { word: 3 } } })
    const apart = await call('PUT', '/v1/corpora/birds', { strategies: ['toy'], settings: { toy: { headline_words: 3, fewest: 4 } } })
    const made = await call('PUT', '/v1/corpora/birds', {
      strategies: ['toy'],
      settings: { passage_tokens: 16, toy: { headline_words: 3 } },
    })
    expect([wrong.status, unknown.status, apart.status, made.status]).toEqual([422, 422, 422, 201])
    expect(apart.body.errors).toEqual([{ path: 'settings.toy.fewest', message: 'must be at most headline_words' }])
    expect(unknown.text).toContain('settings.toy.word is unknown')
    expect([made.body.strategies, made.body.settings.toy]).toEqual([['toy'], { headline_words: 3, fewest: 2 }])
  })

  it('[S200] builds, answers, is compared, shown by auto, exported and estimated; its options are its own', async () => {
    const job = await call('POST', '/v1/corpora/birds/documents:batch', {
      upserts: [
        { id: 'herons', text: TEXT },
        { id: 'owls', text: 'Owls hunt at night. They hear mice under the snow and fly without a sound.' },
      ],
    })
    const birds = new Loam({ url: loam.url, key: loam.key }).corpus('birds')
    await birds.waitForJob(job.body.job, { timeoutMs: PATIENCE })
    const ask = (path: string, more: object) => call('POST', `/v1/corpora/birds/${path}`, { query: 'What do herons eat?', ...more })
    const found = await ask('search', { strategy: 'toy' })
    expect(found.body.evidence[0]).toMatchObject({ kind: 'summary', text: 'Herons stand in', via: 'headline' })
    const bare = await ask('search', { strategy: 'toy', options: { bare: true } })
    expect(bare.body.evidence.map(({ kind }: { kind: string }) => kind)).not.toContain('summary')
    const stray = await ask('search', { strategy: 'hybrid', options: { bare: true } })
    expect([stray.status, stray.text]).toEqual([422, expect.stringContaining('is an option of toy, not of hybrid')])
    const compared = await ask('compare', { strategies: ['keyword', 'toy'] })
    expect(compared.body.results.map(({ strategy }: { strategy: string }) => strategy)).toEqual(['keyword', 'toy'])
    const auto = await ask('search', { strategy: 'auto', options: { overview: true }, query: 'Where do herons stand, eat and sleep?' })
    expect(auto.body.evidence[0]).toMatchObject({ kind: 'summary', text: 'Herons stand in', via: 'overview' })
    const whole = await call('GET', '/v1/corpora/birds/export')
    expect(whole.text).toContain('Herons stand in')
    expect(whole.text).toContain('"headline_words":3')
    const cost = await call('POST', '/v1/corpora/birds/estimate', { documents: [{ id: 'a', text: TEXT }] })
    expect(cost.body.strategies.toy.tokens.embedded).toBeGreaterThan(1000)
    const models = await call('GET', '/v1/models')
    expect(models.text).toContain('"birds:toy"')
  })

  it('[S200] is in the OpenAPI document, with its settings and options', async () => {
    const { text } = await call('GET', '/openapi.json')
    expect(text).toContain('"headline_words"')
    expect(text).toContain('"An option of toy."')
    expect(text).toContain('"archrag","gorag","toy"')
  })

  it('[S200] is on the lists of the page and the command line, which are those of this Loam', () => {
    expect(shipped).toEqual(listed.filter(({ name }) => name !== toy.name)) // else: npm run operations
    expect(optionalOf(listed)).toContain('toy')
    expect(askable(['toy'], listed)).toEqual(['auto', 'hybrid', 'keyword', 'ppr', 'vector', 'toy'])
    expect([inHelp(listed), inHelpOfInit(listed)]).toEqual([expect.stringMatching(/ or toy$/), expect.stringMatching(/,toy$/)])
  })
})
