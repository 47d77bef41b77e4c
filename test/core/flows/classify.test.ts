/** Labels and decisions with a text model, and without. */
import { describe, expect, it } from 'vitest'
import { MemoryGraph } from '../../../src/core/graph/memory'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import * as gorag from '../../../src/core/strategies/gorag/gorag'
import { type GoragSettings, goragDefaults } from '../../../src/core/strategies/gorag/settings'
import { type ClassifyDeps, classifyText, putLabel } from '../../../src/flows/classify'
import { fakeCorpus, fakeModels, fault, type Script } from './fakes'

const cards = [
  { id: 'lost_card', description: 'Cards that are gone', examples: ['I lost my card', 'My card was stolen'] },
  { id: 'top_up', description: 'Adding money', examples: ['How do I top up', 'My top up failed'] },
]

/** A corpus in memory, and models that reply from a script. */
function world(script: Script = {}, own: Partial<GoragSettings> = {}) {
  const settings = { ...goragDefaults, ...own }
  const graph = new MemoryGraph(16)
  const fake = fakeCorpus()
  const corpus: typeof fake = {
    ...fake,
    putLabel: async (label) => {
      graph.apply(gorag.putLabel(graph, label, settings))
      return gorag.labels(graph, settings).find((one) => one.label === label.id) ?? expect.fail('no such label')
    },
    classify: async (input) => gorag.classify(graph, { ...input, now: 0 }, settings),
    learn: async (input) => {
      const { patch, learned } = gorag.learn(graph, { ...input, at: 0 }, settings)
      graph.apply(patch)
      return learned
    },
  }
  const models = fakeModels(script)
  const deps: ClassifyDeps = {
    corpus,
    models,
    config: { settings: { ...defaultSettings, gorag: settings }, budget: {} },
    later: () => undefined,
  }
  return { deps, models, fill: async () => void (await Promise.all(cards.map((one) => putLabel(deps, one)))) }
}

const asked = { text: 'my card is lost', learn: false }

describe('classification with a model', () => {
  it('[C21] the model’s choice is the label; it sees candidates with description and keywords, fenced', async () => {
    const { deps, models, fill } = world({ write: ['{"label": "top_up"}'] })
    await fill()
    expect(await classifyText(deps, asked)).toMatchObject({ label: 'top_up', decided: 'model', degraded: [] })
    const prompt = models.written[0]?.map(({ content }) => content).join('\n') ?? ''
    for (const part of ['my card is lost', 'lost card. Cards that are gone', 'stolen', 'never an instruction'])
      expect(prompt).toContain(part)
  })

  it('[C21] a reply that names no candidate, or no reply, leaves the score’s label, flagged', async () => {
    for (const reply of ['weather', '', fault('timeout')]) {
      const { deps, fill } = world({ write: [reply] })
      await fill()
      expect(await classifyText(deps, asked)).toMatchObject({ label: 'lost_card', decided: 'score', degraded: ['text_model'] })
    }
    const { deps, fill } = world()
    await fill()
    expect(await classifyText(deps, asked)).toMatchObject({ label: 'lost_card', decided: 'score', degraded: [] })
  })

  it('[L500] half a label is none: the score’s stands, flagged as truncated', async () => {
    const { deps, fill } = world({ write: [{ cut: '{"label": "top_up"' }] })
    await fill()
    expect(await classifyText(deps, asked)).toMatchObject({ label: 'lost_card', decided: 'score', degraded: ['truncated'] })
  })

  it('[C21] a choice the score contradicts is too uncertain to learn from, one it shares is not', async () => {
    const learned = async (reply: string) => {
      const { deps, fill } = world({ write: [reply] }, { learning: { ...goragDefaults.learning, confidence: 0.6 } })
      await fill()
      return (await classifyText(deps, { text: 'my card was stolen, I lost it yesterday', learn: true })).learned
    }
    expect(await learned('lost_card')).toBeDefined()
    expect(await learned('top_up')).toBeUndefined()
  })
})

describe('labels without a description', () => {
  const label = { id: 'fx', description: '', examples: ['What rate do you use', 'Which currencies are there'] }

  it('[C7] are described by the model from their examples, once, and what it wrote becomes keywords', async () => {
    const { deps, models } = world({ write: [' Exchanging\n money abroad. '] })
    expect((await putLabel(deps, label))?.description).toBe('Exchanging money abroad.')
    expect(models.written.length).toBe(1)
    expect(models.written[0]?.[1]?.content).toContain('Which currencies are there')
    const found = await deps.corpus.classify({ text: 'abroad' })
    expect(found.keywords).toEqual(['abroad'])
  })

  it('[L500] are described in whole sentences, or not, where the model had no room to end', async () => {
    const described = async (cut: string) => (await putLabel(world({ write: [{ cut }] }).deps, label))?.description
    expect(await described('Rates of currencies. They are asked for by')).toBe('Rates of currencies.')
    expect(await described('Rates of currencies that')).toBe('')
  })

  it('[C7] keep none where the model is down or the corpus wants none; one given is never replaced', async () => {
    const down = world({ write: [fault('capacity')] })
    expect((await putLabel(down.deps, label))?.description).toBe('')
    const off = world({ write: ['x'] }, { describe: false })
    expect([(await putLabel(off.deps, label))?.description, off.models.written.length]).toEqual(['', 0])
    const given = world({ write: ['x'] })
    expect((await putLabel(given.deps, { ...label, description: 'Rates' }))?.description).toBe('Rates')
    expect(given.models.written.length).toBe(0)
  })
})
