import { describe, expect, it } from 'vitest'
import { prompts } from '../../../src/core/estimate/rates'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { countTokens } from '../../../src/core/text/tokens'
import { estimate } from '../../../src/flows/estimate'
import { PRICED_ON, pricesOf, usdOf } from '../../../src/flows/prices'
import { taskPrompt } from '../../../src/flows/prompts'

const MODELS = {
  embedding: { id: '@cf/baai/bge-m3', dimensions: 1024, window: 512 },
  text: { id: '@cf/qwen/qwen3-30b-a3b-fp8', window: 32_000 },
}
const MODEL_COUNTS = 1.22 // tokens of Qwen2.5 and SmolLM2 per token we count, of a prompt with its conversation's form
const documents = Array.from({ length: 50 }, (_, i) => ({
  text: `Document ${i} tells of harbours and of ships that never came back. `.repeat(200),
}))

describe('an estimate', () => {
  it('[V66] lies between its bounds, for every strategy', () => {
    const { strategies } = estimate(documents, { ...defaultSettings, writer: true }, MODELS)
    for (const [name, { usd, tokens, bounds }] of Object.entries(strategies)) {
      expect([name, bounds.min.usd <= usd && usd <= bounds.max.usd]).toEqual([name, true])
      expect([name, bounds.min.tokens.in <= tokens.in && tokens.in <= bounds.max.tokens.in]).toEqual([name, true])
    }
    expect(strategies.archrag?.usd).toBeGreaterThan(strategies.hybrid?.usd ?? Number.POSITIVE_INFINITY)
  })

  it('[V2140] chunks whose entities come with their documents are not read for them by a model, by rates and by measurement', () => {
    const graph = { entities: [{ name: 'harbours', type: '', description: '' }], relations: [] }
    const settings = { ...defaultSettings, writer: true }
    const half = documents.map((one, i) => (i % 2 === 0 ? one : { ...one, brought: graph }))
    const plain = estimate(
      half.filter((one) => !('brought' in one)),
      settings,
      MODELS,
    )
    const [all, mixed] = [estimate(documents, settings, MODELS), estimate(half, settings, MODELS)]
    // A graph belongs to the first chunk that says it; the others are read.
    const chunks = all.chunks / documents.length
    const saved = (documents.length / 2 / all.chunks) * (all.strategies.archrag?.calls.extract ?? 0)
    expect((all.strategies.archrag?.calls.extract ?? 0) - (mixed.strategies.archrag?.calls.extract ?? 0)).toBeCloseTo(saved, -1)
    expect(mixed.strategies.archrag?.tokens.in).toBeLessThan(all.strategies.archrag?.tokens.in ?? 0)
    expect(mixed.strategies.archrag?.tokens.embedded).toBeGreaterThan(plain.strategies.archrag?.tokens.embedded ?? 0)
    expect(mixed.strategies.cluerag).toEqual(all.strategies.cluerag)
    expect(chunks).toBeGreaterThan(1)
    const stages = { extract: { in: 1e6, out: 1e5, embedded: 0, calls: 1000 }, embed: { in: 0, out: 0, embedded: 5e5, calls: 10 } }
    const measured = (sentences: boolean) => ({ strategies: ['archrag'], measured: { chunks: 1000, base: 5e5, sentences, stages } })
    const calls = (of: Parameters<typeof estimate>[0], sentences: boolean): number =>
      estimate(of, settings, MODELS, measured(sentences)).corpus?.calls.extract ?? 0
    expect([calls(documents, false), calls(half, false)]).toEqual([all.chunks, all.chunks - documents.length / 2])
    expect(calls(half, true)).toBe(calls(documents, true))
    const mostlyBrought = { ...measured(false), measured: { ...measured(false).measured, brought: 500 } }
    expect(estimate(documents, settings, MODELS, mostlyBrought).corpus?.calls.extract).toBe(2 * all.chunks)
  })

  it('[V405] its tokens of prompts are those of the prompts, as a model counts them', () => {
    const counted = (brief: Parameters<typeof taskPrompt>[0], form: 'full' | 'short' = 'full') =>
      taskPrompt(brief, '', form).messages.reduce((sum, { content }) => sum + countTokens(content), 0) * MODEL_COUNTS
    const extract = (want: { units: boolean; graph: boolean }, form?: 'short') =>
      counted({ kind: 'extract', name: '', text: '', want }, form)
    const own = {
      graph: extract({ units: false, graph: true }),
      graphShort: extract({ units: false, graph: true }, 'short'),
      units: extract({ units: true, graph: false }),
      unitsShort: extract({ units: true, graph: false }, 'short'),
      summarize: counted({ kind: 'summarize', role: 'segment', subject: '', texts: [], tokens: 150, fallback: '' }),
      report: counted({ kind: 'report', texts: [], tokens: 300, fallback: { title: '', summary: '', rating: 0, findings: [] } }),
    }
    for (const [name, tokens] of Object.entries(own)) {
      const { likely } = prompts[name as keyof typeof prompts]
      expect([name, Math.abs(likely / tokens - 1) < 0.15]).toEqual([name, true])
    }
  })

  it('[V405] a short document gives more in proportion than a long one, and costs what real models have written of such', () => {
    const sentence = (n: number) =>
      `The mill of Orrin${'abcdefghij'[n % 10]}hal was built by Ulla Brant${'klmnopqr'[n % 8]}er in ${1900 + n}. `
    const short = Array.from({ length: 10 }, (_, i) => ({ text: Array.from({ length: 8 }, (_, j) => sentence(i * 8 + j)).join('') }))
    const { strategies, tokens } = estimate(short, { ...defaultSettings, writer: true }, MODELS)
    const { ketrag } = estimate(short, { ...defaultSettings, writer: true }, MODELS).strategies
    expect(tokens / 10).toBeGreaterThan(90)
    expect((ketrag?.tokens.out ?? 0) / 10).toBeGreaterThan(0.8 * 2.5 * 90)
    const long = estimate(documents, { ...defaultSettings, writer: true }, MODELS)
    expect((long.strategies.ketrag?.tokens.out ?? 0) / long.tokens).toBeLessThan((strategies.ketrag?.tokens.out ?? 0) / tokens / 2)
  })

  it('[V613] what an extraction costs follows from the form of the prompt its model is given, and from the names of the text', () => {
    const named = [
      {
        text: 'Ulla Brantner of Orrinhal sold the Tarnwick Mill to Joren Plaat, Ida Quist and the Hask Brothers of Port Ellis. '.repeat(3),
      },
    ]
    const plain = [
      { text: 'the mill was sold in the end to some people who came from another town by the sea and who had money to spend. '.repeat(3) },
    ]
    const of = (documents: typeof named, models: string) =>
      estimate(documents, { ...defaultSettings, writer: true, models }, MODELS).strategies.ketrag ?? { tokens: { in: 0, out: 0 } }
    const full = of(named, 'bge qwen2.5-coder-1.5b 4')
    for (const models of ['bge smollm2-135m/short 4', 'bge large extract=smollm2-135m/short 4']) {
      expect(of(named, models).tokens.in).toBeLessThan(0.93 * full.tokens.in)
    }
    expect(of(named, 'bge small/short extract=large 4').tokens).toEqual(full.tokens)
    expect(full.tokens.out).toBeGreaterThan(1.5 * of(plain, 'bge qwen2.5-coder-1.5b 4').tokens.out)
    expect(of(plain, 'bge qwen2.5-coder-1.5b 4').tokens.out).toBeGreaterThan(50) // a language whose names no rule finds costs something too
  })

  it('[V520] what weighing the channels and the re-ranker costs is named apart, with bounds, and nothing is read where there is no re-ranker', () => {
    const reranker = { id: '@cf/baai/bge-reranker-base', window: 512 }
    const { tuning } = estimate(documents, defaultSettings, { ...MODELS, reranker })
    // 50 documents of two chunks: 100 probes of one passage, 180 read at most, 20 passages each.
    expect(tuning.tokens.in).toBeGreaterThan(100 * 20 * 100)
    expect(tuning.tokens.in).toBeLessThan(180 * 20 * 512)
    expect(tuning.usd).toBeGreaterThan((tuning.tokens.in * 0.003) / 1e6)
    expect([tuning.bounds.min.usd, tuning.bounds.max.usd >= tuning.usd, tuning.calls.rerank]).toEqual([0, true, 180])
    expect(estimate(documents, defaultSettings, MODELS).tuning.tokens).toMatchObject({ in: 0, embedded: expect.any(Number) })
    expect(estimate(documents.slice(0, 1), defaultSettings, { ...MODELS, reranker }).tuning).toMatchObject({ usd: 0 })
  })

  it('[V66] without a text model nothing is written, and embeddings are still counted', () => {
    const { strategies, tokens } = estimate(documents, defaultSettings, MODELS)
    for (const { bounds } of Object.values(strategies)) expect(bounds.max.tokens).toMatchObject({ in: 0, out: 0 })
    expect(strategies.vector).toMatchObject({ calls: { embed: expect.any(Number) } })
    // Cut into passages, and those into sentences, a text has a few tokens more.
    expect((strategies.vector?.tokens.embedded ?? 0) / tokens).toBeCloseTo(1, 1)
    expect((strategies.cluerag?.tokens.embedded ?? 0) / tokens).toBeCloseTo(2, 0)
  })

  it('[V66] an unknown hosted model is priced as the most expensive, one of your own as free', () => {
    expect(pricesOf(MODELS)).toMatchObject({ in: 0.051, out: 0.335, embedded: 0.012, date: PRICED_ON })
    expect(pricesOf({ ...MODELS, text: { id: '@cf/new/model', window: 1 } })).toMatchObject({ in: 1.4, out: 4.4 })
    expect(usdOf({ embedding: { id: 'local', dimensions: 1, window: 1 }, text: null }, { in: 1e6, out: 1e6, embedded: 1e6 })).toBe(0)
    expect(usdOf(MODELS, { in: 1e6, out: 1e6, embedded: 1e6 })).toBeCloseTo(0.398)
  })
})
