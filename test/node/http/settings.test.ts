/** Settings between callers and the core. */
import { describe, expect, it } from 'vitest'
import { metaKeys } from '../../../durable-objects/corpus/tables/meta'
import { corpusOf } from '../../../src/adapters/catalogue/catalogue'
import { optionsSchema } from '../../../src/contract/options'
import { settingsSchema } from '../../../src/contract/settings'
import { embeddingModelOf } from '../../../src/core/settings'
import { defaultSettings, storedSettings } from '../../../src/core/strategies/default-settings'
import { embeddersFor, isOfPrevious, modelsFor } from '../../../src/flows/embedding-model'
import { problemOf } from '../../../src/http/failures'
import { modelChoices, runningModels } from '../../../src/http/running-models'
import { mergeSettings, settingsView } from '../../../src/http/settings'
import { fakeWorld } from './world'

const { models } = fakeWorld().wired
const NO_MODELS = { extract: null, summarise: null, describe: null, answer: null, classify: null, judge: null }

describe('settings', () => {
  it('[H21] settings as they are shown can be sent back, and change nothing', () => {
    const before = mergeSettings(null, { erarag: { summary_tokens: 80 }, gorag: { learning: { half_life_ms: 120_000 } } }, models)
    const shown = settingsView(before.data ?? defaultSettings)
    const sent = settingsSchema.parse(shown)
    expect(mergeSettings(before.data ?? null, sent, models)).toEqual(before)
    expect([before.data?.erarag.summary, before.data?.gorag.learning.halfLife]).toEqual([80, 120_000])
  })

  it('[X1630] `chunk_method` is shown and chosen, kept where it is not named, and without it nothing stored is another', () => {
    const made = mergeSettings(null, undefined, models).data ?? defaultSettings
    expect([settingsView(made).chunk_method, made.chunking]).toEqual(['length', { chunk: 1200, overlap: 100, passage: 150 }])
    const topical = mergeSettings(made, { chunk_method: 'topic' }, models).data ?? defaultSettings
    expect([settingsView(topical).chunk_method, topical.chunking.method]).toEqual(['topic', 'topic'])
    expect(mergeSettings(topical, { chunk_tokens: 800 }, models).data?.chunking).toEqual({ ...topical.chunking, chunk: 800 })
    expect(mergeSettings(topical, { chunk_method: 'length' }, models).data).toEqual(made)
    expect(settingsSchema.safeParse({ chunk_method: 'semantic' }).success).toBe(false)
  })

  it('[V910] models of roles are shown, chosen from the catalogue, refused by role, and given back by null', () => {
    const text = { id: 'qwen', window: 8000 }
    const offering = { ...models, text, choices: [text, { id: 'large', window: 32_000 }] }
    const chosen = mergeSettings(null, { models: { answer: 'large', judge: 'qwen' } }, offering).data ?? defaultSettings
    expect(chosen.roleModels).toEqual({ answer: 'large', judge: 'qwen' })
    expect(settingsView(chosen).models).toEqual({ ...NO_MODELS, answer: 'large', judge: 'qwen' })
    expect(mergeSettings(chosen, { models: { judge: null } }, offering).data?.roleModels).toEqual({ answer: 'large' })
    expect(mergeSettings(chosen, {}, offering).data?.roleModels).toEqual(chosen.roleModels)
    const faults = (given: object, by: typeof models, before: typeof chosen | null = null) =>
      mergeSettings(before, settingsSchema.parse({ models: given }), by).error?.issues.map(({ path, message }) => [path.join('.'), message])
    expect(faults({ answer: 'huge' }, offering)).toEqual([['settings.models.answer', 'one of qwen, large, or null']])
    expect(faults({ answer: 'qwen' }, models)).toEqual([['settings.models.answer', 'this deployment has no text model']])
    // What is shown can be sent back, also when it is offered no longer.
    expect(faults({ answer: 'large' }, models, chosen)).toBeUndefined()
    expect(settingsSchema.safeParse({ models: { extrct: 'qwen' } }).success).toBe(false)
    const local = { machine: ['qwen'], server: false }
    expect(modelChoices(offering, local).map((one) => [one.model, one.window, one.runs_on])).toEqual([
      ['qwen', 8000, 'machine'],
      ['large', 32_000, 'workers_ai'],
    ])
  })

  it('[H21] what the schema accepts is a setting of the core', () => {
    const known = settingsView(defaultSettings)
    const unknown = (shape: object, shown: unknown, path = ''): string[] =>
      Object.entries(shape).flatMap(([key, schema]) => {
        const here = `${path}${key}`
        if (schema.meta?.()?.deprecated) return []
        const value = typeof shown === 'object' && shown !== null ? (shown as { [key: string]: unknown })[key] : undefined
        const inner = schema.unwrap?.().shape
        return value === undefined ? [here] : inner ? unknown(inner, value, `${here}.`) : []
      })
    expect(unknown(settingsSchema.shape, known)).toEqual([])
  })

  it('[H21] the length of vectors is fixed when the corpus is made; what was stored before a setting existed is completed', () => {
    const before = { ...defaultSettings, dimensions: 99 }
    const { gorag: _, ...old } = before
    expect(mergeSettings(before, undefined, models).data?.dimensions).toBe(99)
    expect(storedSettings(old as typeof before)).toEqual(before)
  })

  it('[H21] a renamed setting is accepted by its former name, and not by both', () => {
    const former = { erarag: { least: 3, most: 7 }, archrag: { most: 9 }, gorag: { least: 4, learning: { most: 8 } } }
    const { erarag, archrag, gorag } = mergeSettings(null, settingsSchema.parse(former), models).data ?? defaultSettings
    expect([erarag.min, erarag.max, archrag.max, archrag.min, gorag.min, gorag.learning.max]).toEqual([3, 7, 9, 5, 4, 8])
    expect(settingsView({ ...defaultSettings, erarag }).erarag).toEqual(expect.objectContaining({ min: 3, max: 7 }))
    expect(Object.keys(erarag)).not.toContain('least')
    const both = settingsSchema.safeParse({ erarag: { min: 3, least: 3 } })
    expect(both.error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['erarag.least', 'is the former name of `min`, which is given as well'],
    ])
  })

  it('[H21] what an earlier release stored is read by the new names, in the catalogue and in the object', () => {
    const { erarag, gorag, ...rest } = defaultSettings
    const { min, max, ...era } = erarag
    const { min: fewest, learning, ...go } = gorag
    const { max: kept, ...learned } = learning
    const stored = {
      ...rest,
      erarag: { ...era, least: min - 1, most: max },
      gorag: { ...go, least: fewest, learning: { ...learned, most: kept + 1 } },
    }
    const now = { ...defaultSettings, erarag: { ...erarag, min: min - 1 }, gorag: { ...gorag, learning: { ...learning, max: kept + 1 } } }
    expect(storedSettings(stored as never)).toEqual(now)
    expect(storedSettings(now)).toEqual(now)
    // What did not exist when it was stored has its default: a field, a part of one, a whole strategy.
    const { archrag: _archrag, ...without } = defaultSettings
    const { planes: _planes, ...fewer } = erarag
    const { halfLife: _halfLife, ...unfading } = gorag.learning
    expect(storedSettings({ ...without, erarag: fewer, gorag: { ...gorag, learning: unfading } } as never)).toEqual(defaultSettings)
    // [T2071] But what new versions changed is kept only where the corpus was made when that was the default, or asks for it.
    const { earlier: _earlier, ...older } = defaultSettings
    expect(storedSettings(older as never).earlier).toEqual({ days: 0 })
    for (const days of [0, 365]) expect(storedSettings({ ...defaultSettings, earlier: { days } }).earlier).toEqual({ days })
    // [H2136] Nor are files kept of which the corpus never said so.
    const { files: _files, ...silent } = defaultSettings
    expect([storedSettings(silent as never).files, defaultSettings.files]).toEqual([{ keep: false }, { keep: true }])
    for (const keep of [false, true]) expect(storedSettings({ ...defaultSettings, files: { keep } }).files).toEqual({ keep })
    const row = {
      strategies: '[]',
      settings: JSON.stringify(stored),
      budget: '{}',
      database: null,
      locationHint: null,
      audit: null,
      defaultAccess: null,
    }
    expect(corpusOf(row as never).settings).toEqual(now)
    expect(metaKeys.config.parse(JSON.stringify({ name: 'mill', settings: stored }))).toEqual({ name: 'mill', settings: now })
    const nodes = { size: { mean: 2, most: 3 }, degree: { mean: 1, most: 4 } }
    expect(metaKeys.surveyedNodes.parse(JSON.stringify(nodes))).toEqual({
      size: { ...nodes.size, max: 3 },
      degree: { ...nodes.degree, max: 4 },
    })
  })

  it('[S250] what has been removed is refused by its name, and what was stored is read without it', () => {
    const gone = { archrag: { cluster: 'scan' }, gorag: { hub: false, learning: { reinforce: true } }, cluerag: { selector: 'random' } }
    const messages = settingsSchema.safeParse(gone).error?.issues.flatMap(({ message }) => message.split('\n'))
    const names = ['archrag.cluster', 'gorag.hub', 'gorag.learning.reinforce', 'random']
    expect(messages?.sort()).toEqual(names.map((name) => `${name} has been removed: it was an ablation's switch; leave it out`))
    const options = optionsSchema.safeParse({ titles: false, filter: 'direct' }).error?.issues.map(({ message }) => message)
    expect(options?.map((message) => message.split(' ').slice(0, 4).join(' ')).sort()).toEqual([
      'direct has been removed:',
      'titles has been removed:',
    ])
    const { archrag, gorag, cluerag, ...rest } = defaultSettings
    const stored = {
      ...rest,
      archrag: { ...archrag, cluster: 'scan' },
      gorag: { ...gorag, hub: false, learning: { ...gorag.learning, reinforce: true } },
      cluerag: { ...cluerag, alpha: 0.25, selector: 'random' },
    }
    expect(storedSettings(stored as never)).toEqual({ ...defaultSettings, cluerag: { ...cluerag, alpha: 0.25 } })
  })
})

describe('an embedding model', () => {
  const before = { embedding: { id: 'old', dimensions: 4, window: 128 }, embed: models.embed }
  const both = { ...models, previous: before }

  it('[L411] stays the corpus’s whatever the deployment has by now, and is the one it is asked with', () => {
    const made = mergeSettings(null, {}, { ...models, embedding: before.embedding }).data ?? defaultSettings
    expect([made.dimensions, embeddingModelOf(made)?.id]).toEqual([4, 'old'])
    const kept = mergeSettings(made, { chunk_tokens: 800 }, both).data ?? defaultSettings
    expect([kept.dimensions, embeddingModelOf(kept)?.id]).toEqual([4, 'old'])
    expect([modelsFor(both, kept).embedding.id, modelsFor(both, kept).embed === before.embed]).toEqual(['old', true])
    const fresh = mergeSettings(null, {}, both).data ?? defaultSettings
    expect([modelsFor(both, fresh).embedding.id, isOfPrevious(both, fresh), isOfPrevious(both, kept)]).toEqual(['hash', false, true])
  })

  it('[L412] that the deployment does not have is refused with the names of both, of the same dimensions too', async () => {
    const made = mergeSettings(null, {}, { ...models, embedding: { id: 'gone', dimensions: 8, window: 128 } }).data ?? defaultSettings
    const says = 'The corpus was created with gone (8 dimensions); the deployment has hash (8 dimensions) and old (4 dimensions).'
    expect(() => modelsFor(both, made)).toThrow(says)
    await expect(embeddersFor(both, made).embed(['x'])).rejects.toThrow('missing')
    const problem = problemOf(new Error(`corpus: embedding mismatch: ${says}`))
    expect([problem.code, problem.detail.startsWith(says)]).toEqual(['embedding_mismatch', true])
  })
})

it('[L410] each model that runs is named once for what it does, with where it runs', () => {
  const text = { id: 'smol', window: 2048 }
  const judge = { ...models, text: { id: 'judge', window: 512 } }
  const all = { ...models, text, roles: { extract: { id: 'qwen', window: 8192 } }, reranker: { id: 'bge' } }
  const local = runningModels(all, judge, { machine: ['smol', 'qwen'], server: true })
  expect(local.map(({ role, model, window, runs_on }) => [role, model, window, runs_on])).toEqual([
    ['embedding', 'hash', 128, 'worker'],
    ['text', 'smol', 2048, 'machine'],
    ['extract', 'qwen', 8192, 'machine'],
    ['judge', 'judge', 512, 'server'],
    ['rerank', 'bge', null, 'server'],
  ])
  expect(local[0]?.dimensions).toBe(8)
  const embedding = { id: '@cf/baai/bge-m3', dimensions: 1024, window: 8192 }
  expect(runningModels({ ...models, embedding }, null, { machine: [], server: false })).toMatchObject([{ runs_on: 'workers_ai' }])
})
