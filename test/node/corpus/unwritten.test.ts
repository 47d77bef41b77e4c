/** Texts extracted while the text model was out are asked for again when it is back. */
import { afterEach, describe, expect, it } from 'vitest'
import { leftOutOf } from '../../../durable-objects/corpus/indexing/prompt-forms'
import { health } from '../../../durable-objects/corpus/maintenance/health'
import { startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { runScheduledMaintenance } from '../../../durable-objects/corpus/maintenance/scheduled-maintenance'
import { isMaintenanceOpen } from '../../../durable-objects/corpus/maintenance/under-way'
import { stateHash } from '../../../src/core/graph/fingerprint'
import type { GraphNode } from '../../../src/core/graph/types'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { type Counted, countedModels, letter, type Spending, scribe, spending } from './spending'

const MINUTE = 60_000
const SMALL: Partial<Settings> = { erarag: { ...defaultSettings.erarag, min: 2, max: 4 } }
const letters = (from: number, to: number, sentences = 6) => Array.from({ length: to - from }, (_, i) => letter(from + i, sentences))

interface Writer extends Counted {
  /** The model is out for summaries and reports; what it is asked meanwhile is counted. */
  out: boolean
  refused: number
}

function writer(say: (prompt: string) => string = scribe): Writer {
  const one = { out: false, refused: 0 }
  const counted = countedModels((prompt) => {
    if (!one.out || prompt.includes('"entities"') || prompt.includes('"knowledge_units"')) return say(prompt)
    one.refused++
    throw Object.assign(new Error('down'), { name: 'ModelError' })
  })
  return Object.assign(one, counted)
}

/** Says something else of everybody in every letter, at such length that it must be merged. */
function telling(prompt: string): string {
  const [, n = ''] = /letter (\d+)/.exec(prompt) ?? []
  return scribe(prompt).replaceAll('met others and wrote letters.', `met others, wrote ${`on page ${n} and `.repeat(8)}no more.`)
}

const open: Spending[] = []
afterEach(() => {
  for (const corpus of open.splice(0)) corpus.close()
})

function corpusOf(strategies: readonly string[], settings: Partial<Settings> = SMALL): Spending {
  const corpus = spending(strategies, settings)
  open.push(corpus)
  return corpus
}

/** The schedule comes by, and what it asks for is done. */
async function tick(corpus: Spending, { models }: Counted): Promise<boolean> {
  const asked = runScheduledMaintenance(corpus.context)
  await corpus.work(models)
  return asked
}

async function settled(corpus: Spending, { models }: Counted): Promise<void> {
  for (let n = 0; n < 20 && isMaintenanceOpen(corpus.context); n++) await corpus.work(models)
}

const texts = ({ context: { graph } }: Spending): GraphNode[] =>
  (['summary', 'community'] as const).flatMap((kind) => graph.page(kind, '', 5000)).flatMap((id) => graph.node(id) ?? [])
const byModel = (corpus: Spending): number => texts(corpus).filter((node) => node.data.generator === 'model' && !node.stale).length
const owed = ({ context }: Spending): string[] => context.sql.all<{ node: string }>('SELECT node FROM unwritten').map((row) => row.node)
const hashOf = ({ context }: Spending): string => stateHash(context.graph.lines())
const written = (corpus: Spending): number => corpus.leased.filter(({ kind }) => kind === 'summarize' || kind === 'report').length

describe('texts extracted while the text model was out', () => {
  it('[V98] [V88] are reported, are written when it is back, each once, and the corpus is as if it had never been down', async () => {
    const corpus = corpusOf(['erarag'])
    const model = writer()
    model.out = true
    corpus.accept(letters(0, 20))
    await corpus.work(model.models)
    expect([byModel(corpus), owed(corpus).sort()]).toEqual([
      0,
      texts(corpus)
        .map((node) => node.id)
        .sort(),
    ])
    expect(health(corpus.context).owed).toEqual({ texts: texts(corpus).length, retry_at: corpus.clock.now + 10 * MINUTE })
    model.out = false
    corpus.clock.now += 10 * MINUTE
    corpus.leased.length = 0
    expect(await tick(corpus, model)).toBe(true) // one, to see whether it is there
    expect(byModel(corpus)).toBeGreaterThan(0)
    expect(await tick(corpus, model)).toBe(true)
    expect([byModel(corpus), owed(corpus)]).toEqual([texts(corpus).length, []])
    expect(health(corpus.context).owed).toEqual({ texts: 0, retry_at: null })
    // Each once; what stood above the one that was tried, once more.
    expect(written(corpus)).toBeLessThanOrEqual(texts(corpus).length + 3)
    corpus.leased.length = 0
    corpus.clock.now += 600 * MINUTE
    expect([await tick(corpus, model), written(corpus)]).toEqual([false, 0])
    const never = corpusOf(['erarag'])
    never.accept(letters(0, 20))
    await never.work(writer().models)
    expect(hashOf(corpus)).toBe(hashOf(never))
  })

  it('[V98] that are reports and merged descriptions too', async () => {
    const corpus = corpusOf(['archrag'])
    const model = writer(telling)
    model.out = true
    corpus.accept(letters(0, 24))
    await corpus.work(model.models)
    const alone = texts(corpus).filter((node) => (node.data.members as string[]).length === 1).length // described already
    expect([byModel(corpus), owed(corpus).length > 0]).toEqual([0, true])
    expect(owed(corpus).some((id) => corpus.context.graph.node(id)?.kind === 'entity')).toBe(true)
    model.out = false
    corpus.clock.now += 10 * MINUTE
    for (let n = 0; n < 4; n++) await tick(corpus, model)
    expect([byModel(corpus), owed(corpus)]).toEqual([texts(corpus).length - alone, []])
    expect(corpus.context.graph.values('archrag/told', '', 100).length).toBeGreaterThan(0)
  })

  it('[V98] cost one attempt after ten minutes and then ever more rarely while it stays down, which changes nothing', async () => {
    const corpus = corpusOf(['erarag'])
    const model = writer()
    model.out = true
    corpus.accept(letters(0, 20))
    await corpus.work(model.models)
    const before = { graph: hashOf(corpus), owed: owed(corpus).sort() }
    model.refused = 0
    const tried: number[] = []
    for (let minute = 5; minute <= 24 * 60; minute += 5) {
      corpus.clock.now += 5 * MINUTE
      const known = model.refused
      await tick(corpus, model)
      expect(model.refused - known).toBeLessThanOrEqual(1)
      if (model.refused > known) tried.push(minute)
    }
    expect(tried).toEqual([10, 30, 70, 150, 310, 630, 990, 1350])
    expect({ graph: hashOf(corpus), owed: owed(corpus).sort() }).toEqual(before)
    // What is read meanwhile with success says that it is back.
    model.out = false
    corpus.accept([letter(50)])
    await corpus.work(model.models)
    await tick(corpus, model)
    expect(owed(corpus)).toEqual([])
  })

  it('[V98] are asked for a hundred a tick, and not at all when nothing may be spent', async () => {
    const corpus = corpusOf(['erarag'], { erarag: { ...defaultSettings.erarag, min: 2, max: 3 } })
    const model = writer()
    model.out = true
    corpus.accept(letters(0, 240, 1))
    await corpus.work(model.models)
    await tick(corpus, model) // so much has come that it consolidates
    await settled(corpus, model)
    model.out = false
    corpus.accept([letter(300)]) // it is back
    await corpus.work(model.models)
    const all = owed(corpus).length
    expect(all).toBeGreaterThan(110)
    corpus.configure({ budget: { tokens: 1 } })
    runScheduledMaintenance(corpus.context)
    expect(owed(corpus).length).toBe(all)
    corpus.configure({ budget: {} })
    await corpus.work(model.models) // what else was left to the schedule
    runScheduledMaintenance(corpus.context)
    expect(owed(corpus).length).toBe(all - 100)
    const open = () => corpus.context.sql.all('SELECT * FROM task').length
    expect([open() > 0, open() <= 100]).toEqual([true, true])
    runScheduledMaintenance(corpus.context)
    expect(owed(corpus).length).toBe(all - 100) // no more while these are open
    await corpus.work(model.models)
    await tick(corpus, model)
    expect([owed(corpus), byModel(corpus)]).toEqual([[], texts(corpus).length])
  })

  it('[V98] are never asked for where no text model is configured, nor where it answered and could not', async () => {
    const none = corpusOf(['erarag'], { ...SMALL, writer: false })
    const model = writer()
    none.accept(letters(0, 12))
    await none.work(model.models)
    none.clock.now += 600 * MINUTE
    expect([byModel(none), owed(none), await tick(none, model), model.bill.out]).toEqual([0, [], false, 0])
    const blank = corpusOf(['erarag'])
    const silent = writer(() => ' ') // never of use
    blank.accept(letters(0, 12))
    await blank.work(silent.models)
    blank.clock.now += 600 * MINUTE
    expect([byModel(blank), owed(blank), await tick(blank, silent)]).toEqual([0, [], false])
  })

  it('[V98] leave the list with their nodes, and go over to a shadow graph', async () => {
    const corpus = corpusOf(['erarag'])
    const model = writer()
    model.out = true
    corpus.accept(letters(0, 20))
    await corpus.work(model.models)
    const here = () => owed(corpus).every((id) => corpus.context.graph.node(id))
    const before = owed(corpus).length
    corpus.accept(
      [],
      letters(0, 12).map(({ id }) => id),
    )
    await corpus.work(model.models)
    expect([here(), owed(corpus).length < before]).toEqual([true, true])
    startMaintenance(corpus.context, 'reindex')
    await settled(corpus, model)
    expect(owed(corpus).sort()).toEqual(
      texts(corpus)
        .map((node) => node.id)
        .sort(),
    )
    expect(corpus.context.sql.all(`SELECT DISTINCT builder FROM unwritten`)).toEqual([{ builder: 'erarag' }])
    corpus.accept(
      [],
      letters(12, 20).map(({ id }) => id),
    )
    await corpus.work(model.models)
    expect([texts(corpus), owed(corpus)]).toEqual([[], []])
  })
})

describe('a text', () => {
  it('[V99] a summary is not left stale where a reply that comes first changes what it is written from', async () => {
    const corpus = corpusOf(['archrag', 'erarag'])
    const { models } = writer(telling)
    for (let at = 0; at < 24; at += 6) {
      corpus.accept(letters(at, at + 6), at > 6 ? [`letter-${at - 6}`] : [])
      await corpus.work(models)
      expect([at, texts(corpus).filter((node) => node.stale || node.text === '')]).toEqual([at, []])
    }
    expect(corpus.context.graph.values('archrag/told', '', 100).length).toBeGreaterThan(0)
  })
})

describe('replies to a prompt', () => {
  it('[V403] a role whose replies to the full prompt are of no use is given the short one, health says so, and other models begin anew', async () => {
    const corpus = corpusOf(['cluerag'], { cluerag: { ...defaultSettings.cluerag, alpha: 1 } as Settings['cluerag'] })
    let calls = 0
    const counted = countedModels((prompt) => {
      calls++
      return prompt.includes('Velda Canal') ? 'I see.' : scribe(prompt)
    })
    corpus.accept(letters(0, 12))
    await corpus.work(counted.models)
    const { replies } = health(corpus.context)
    expect(replies.extract?.form).toBe('short')
    expect([(replies.extract?.full?.asked ?? 0) >= 20, replies.extract?.full?.used]).toEqual([true, 0])
    expect(replies.extract?.short).toEqual({ asked: 12, used: 12 })
    calls = 0
    corpus.accept(letters(20, 23))
    await corpus.work(counted.models)
    expect([calls, health(corpus.context).replies.extract?.short]).toEqual([3, { asked: 15, used: 15 }])
    corpus.configure({ settings: { ...corpus.context.config.settings, models: 'others' } })
    expect(health(corpus.context).replies).toEqual({})
  })

  it('[V2250] what usable replies say beyond their texts is counted by role and kind, until models change', async () => {
    const corpus = corpusOf(['cluerag'], { cluerag: { ...defaultSettings.cluerag, alpha: 1 } as Settings['cluerag'] })
    const counted = countedModels((prompt) =>
      scribe(prompt).replace('"knowledge_units":[', '"knowledge_units":["Zanzibar Quay was sold twice.",'),
    )
    corpus.accept(letters(0, 3))
    await corpus.work(counted.models)
    corpus.accept(letters(3, 5))
    await corpus.work(counted.models)
    expect(health(corpus.context).replies.extract?.left_out).toEqual({ units: 5 })
    corpus.configure({ settings: { ...corpus.context.config.settings, models: 'others' } })
    expect(leftOutOf(corpus.context)).toEqual({})
  })

  it('[V1981] a model of hardly any use is asked once about each text, the schedule asks for none of them again, and a better one is asked as usual', async () => {
    const corpus = corpusOf(['cluerag'], { cluerag: { ...defaultSettings.cluerag, alpha: 1 } as Settings['cluerag'] })
    let calls = 0
    let isUseful = false
    const counted = countedModels((prompt) => {
      calls++
      return isUseful ? scribe(prompt) : 'I see.'
    })
    const asked = async (from: number, to: number) => {
      calls = 0
      corpus.accept(letters(from, to))
      await corpus.work(counted.models)
      return calls
    }
    expect([await asked(0, 9), health(corpus.context).replies.extract?.is_useless]).toEqual([27, false])
    expect([await asked(9, 12), health(corpus.context).replies.extract?.is_useless]).toEqual([9, true])
    expect(await asked(12, 20)).toBe(8)
    const { waiting } = health(corpus.context).retries
    calls = 0
    for (let hours = 0; hours < 72; hours += 8) {
      corpus.clock.now += 8 * 3_600_000
      await tick(corpus, counted)
    }
    expect([calls, health(corpus.context).retries.waiting, waiting]).toEqual([0, 20, 20])
    isUseful = true
    await asked(20, 24)
    expect(health(corpus.context).replies.extract).toMatchObject({ is_useless: false, short: { used: 4 } })
    calls = 0
    corpus.clock.now += 48 * 3_600_000
    await tick(corpus, counted)
    expect([calls, health(corpus.context).retries.waiting]).toEqual([20, 0])
  })
})
