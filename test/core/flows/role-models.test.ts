/** Models that a corpus has chosen for roles: who is asked, and at what price. */
import { describe, expect, it } from 'vitest'
import { workersAi } from '../../../src/adapters/workers-ai'
import { modelConfig } from '../../../src/adapters/workers-ai-config'
import { costOf } from '../../../src/core/cost'
import { PROMPTS, promptsOf } from '../../../src/core/prompt-version'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { estimate } from '../../../src/flows/estimate'
import { pricesOf } from '../../../src/flows/prices'
import { judgeWith, withRoleModels } from '../../../src/flows/role-models'

const [SMALL, LARGE] = ['@cf/meta/llama-3.2-1b-instruct', '@cf/zai-org/glm-5.2']
const VARS = {
  EMBEDDING_MODEL: '@cf/baai/bge-m3',
  EMBEDDING_DIMENSIONS: 1024,
  EMBEDDING_WINDOW: 512,
  TEXT_MODEL: '@cf/qwen/qwen3-30b-a3b-fp8',
  TEXT_WINDOW: 32_000,
  TEXT_MODELS: `${SMALL}=8000, ${LARGE}`,
}

function deployed() {
  const asked: string[] = []
  const ai = {
    run: async (model: string) => {
      asked.push(model)
      return { response: 'Said.', usage: { prompt_tokens: 10, completion_tokens: 2 } }
    },
  }
  return { asked, models: workersAi({ ai, takesSignal: false }, modelConfig(VARS)) }
}
const HELLO = [{ role: 'user' as const, content: 'Hello' }]

describe('models of a corpus', () => {
  it('[V910] the catalogue is what the deployment names, each once, with its window', () => {
    expect(modelConfig(VARS).choices?.map(({ id, window }) => [id, window])).toEqual([
      [VARS.TEXT_MODEL, 32_000],
      [SMALL, 8000],
      [LARGE, 32_000],
    ])
    expect(modelConfig({ ...VARS, TEXT_MODELS: `${VARS.TEXT_MODEL},,` }).choices?.length).toBe(1)
    expect(() => modelConfig({ ...VARS, TEXT_MODELS: 'x=lots' })).toThrow('TEXT_MODELS (x)')
    expect(() => modelConfig({ ...VARS, TEXT_MODEL: '' })).toThrow('TEXT_MODELS needs TEXT_MODEL')
  })

  it('[V910] a role is asked of the model chosen for it, the others of the deployment’s; one that is not offered is passed over', async () => {
    const { asked, models } = deployed()
    const own = withRoleModels(models, { answer: LARGE, extract: SMALL, classify: '@cf/gone' })
    for (const role of ['answer', 'extract', 'classify', 'summarise'] as const) await own.write(HELLO, { tokens: 10, role })
    const { deltas } = await own.stream(HELLO, { tokens: 10, role: 'answer' })
    for await (const _ of deltas);
    expect(asked).toEqual([LARGE, SMALL, VARS.TEXT_MODEL, VARS.TEXT_MODEL, LARGE])
    expect([own.roles?.extract?.window, own.roles?.classify]).toEqual([8000, undefined])
    expect(withRoleModels(models, {})).toBe(models)
    expect(withRoleModels(models)).toBe(models)
  })

  it('[V910] a judge may be chosen where there was none, and in the place of one', async () => {
    const { asked, models } = deployed()
    expect(judgeWith(models, null, {})).toBeNull()
    const judge = judgeWith(models, null, { judge: LARGE })
    await judge?.write(HELLO, { tokens: 10 })
    expect([judge?.text?.id, asked]).toEqual([LARGE, [LARGE]])
    const other = deployed().models
    expect(judgeWith(models, other, { judge: '@cf/gone' })).toBe(other)
  })

  it('[V912] each stage is priced as its role’s model; what several write in as the dearest', () => {
    const { models } = deployed()
    const prices = pricesOf(withRoleModels(models, { extract: SMALL, describe: LARGE }))
    const million = { in: 1e6, out: 0, embedded: 0 }
    expect(['answer', 'extract', 'summarize', 'report', 'describe'].map((stage) => costOf(prices, stage, million))).toEqual([
      0.051, 0.027, 1.4, 0.051, 1.4,
    ])
    expect(pricesOf(models).written).toBeUndefined()
    const text = { text: 'Ada Brant met Karl Orm in Leeds. '.repeat(200) }
    const settings = { ...defaultSettings, writer: true }
    const cost = (chosen: object): number => {
      const own = withRoleModels(models, chosen)
      return estimate([text], settings, own, { strategies: ['ketrag'], measured: null }).corpus?.usd ?? 0
    }
    expect(cost({ extract: LARGE }) / cost({})).toBeGreaterThan(5)
  })

  it('[V911] extractions are known by the model that is chosen for them', () => {
    const of = (roleModels: object) => promptsOf({}, { ...defaultSettings, roleModels })
    expect([of({}), of({ answer: LARGE })]).toEqual([PROMPTS, PROMPTS])
    expect(new Set([PROMPTS, of({ extract: SMALL }), of({ extract: LARGE })]).size).toBe(3)
  })
})
