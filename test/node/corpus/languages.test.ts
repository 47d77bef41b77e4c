/** Languages of documents in the object: told, given, filtered by, and found by their own stems. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { setLanguage } from '../../../durable-objects/corpus/ingest/set-language'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { cancelJob } from '../../../durable-objects/corpus/maintenance/job-actions'
import { runMaintenanceSlice } from '../../../durable-objects/corpus/maintenance/maintain'
import { startTelling } from '../../../durable-objects/corpus/maintenance/tell-languages'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { listLanguagesOf } from '../../../durable-objects/corpus/tables/spoken'
import { fingerprint } from '../../../src/core/ids'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Filters } from '../../../src/ports/retrieval'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const note = (id: string, text: string, more: Partial<DocumentInput> = {}): DocumentInput => ({
  id,
  text,
  title: '',
  url: null,
  metadata: {},
  ...more,
})
const GERMAN = note('de', 'Die alten Häuser am Ufer der Lerche wurden von den Brüdern Veit aus Holz gebaut, und ihre Dächer sind gedeckt.')
const SPANISH = note(
  'es',
  'Los faros de la isla fueron construidos por los ingenieros, y las luces de las torres alcanzan veintidós millas.',
)
const ENGLISH = note(
  'en',
  'The houses of the island were built of wood by the brothers, and the lights of the towers reach far out to sea.',
)
const NUMBER = note('short', 'Veit 12')

function opened(language: 'de' | null = null): { mortal: Mortal; world: World } {
  const world = mortalWorld([], { chunking: { chunk: 60, overlap: 0, passage: 30 }, models: 'none', language })
  worlds.push(world)
  return { mortal: world.wake(), world }
}

async function put(world: World, mortal: Mortal, upserts: readonly DocumentInput[], deletes: readonly string[] = []) {
  const accepted = accept(mortal.context, { kind: 'batch', upserts, deletes })
  if (accepted.kind === 'accepted') await finish(mortal, world, noBill())
  return accepted.kind
}

function found(context: CorpusContext, text: string, filters: Filters = {}): (string | null)[] {
  const result = retrieve(context, {
    strategy: 'keyword',
    text,
    near: {},
    topK: 10,
    budget: 4000,
    trace: false,
    options: {},
    asker: 'all',
    filters,
  })
  return result.kind === 'evidence' ? result.evidence.map((one) => one.document) : []
}

const languageOf = (context: CorpusContext, id: string) => document(context, id, 'all')?.language

/** As an older release left them: common terms and no language. */
async function putOlder(world: World, mortal: Mortal, documents: readonly DocumentInput[]): Promise<void> {
  await put(
    world,
    mortal,
    documents.map((one) => ({ ...one, language: 'en' })),
  )
  const { sql } = mortal.context
  for (const { n, document: id } of sql.all<{ n: number; document: string }>('SELECT n, document FROM revision')) {
    const { text, metadata } = documents.find((one) => one.id === id) ?? GERMAN
    sql.run(`UPDATE revision SET language = '', hash = ? WHERE n = ?`, fingerprint('', text, '', JSON.stringify(metadata)), n)
  }
  sql.run('DELETE FROM spoken')
}

describe('languages of documents', () => {
  it('[T825] are told, or given, or their corpus’s, and shown', async () => {
    const { mortal, world } = opened('de')
    await put(world, mortal, [GERMAN, SPANISH, ENGLISH, NUMBER, note('given', 'Quarto piano.', { language: 'it' })])
    const { context } = mortal
    expect(['de', 'es', 'en', 'short', 'given'].map((id) => languageOf(context, id))).toEqual(['de', 'es', 'en', 'de', 'it'])
    const none = opened()
    await put(none.world, none.mortal, [NUMBER])
    expect(languageOf(none.mortal.context, 'short')).toBeNull()
  })

  it('[T825] one that is given makes a document that is otherwise the same a new one', async () => {
    const { mortal, world } = opened()
    await put(world, mortal, [NUMBER])
    expect(await put(world, mortal, [NUMBER])).toBe('unchanged')
    expect(await put(world, mortal, [{ ...NUMBER, language: 'es' }])).toBe('accepted')
    expect(languageOf(mortal.context, 'short')).toBe('es')
  })

  it('[T826] are filtered by, with what else is filtered by, and no longer once the document is gone', async () => {
    const { mortal, world } = opened()
    await put(world, mortal, [GERMAN, SPANISH, ENGLISH])
    const { context } = mortal
    expect(found(context, 'houses Häuser faros').sort()).toEqual(['de', 'en', 'es'])
    expect(found(context, 'houses Häuser faros', { language: ['de', 'es'] }).sort()).toEqual(['de', 'es'])
    expect(found(context, 'houses Häuser faros', { language: ['de'], document: ['es'] })).toEqual([])
    expect(found(context, 'houses Häuser faros', { language: ['fr'] })).toEqual([])
    await put(world, mortal, [{ ...GERMAN, language: 'nl' }], ['es'])
    expect(found(context, 'houses Häuser faros', { language: ['de', 'es'] })).toEqual([])
    expect(found(context, 'houses Häuser faros', { language: ['nl'] })).toEqual(['de'])
  })

  it('[T827] a document from before languages were told is found as it was, and by its own stems when it is put again', async () => {
    const { mortal, world } = opened()
    await put(world, mortal, [{ ...GERMAN, language: 'en' }])
    const { context } = mortal
    // As an older release left it: common terms, no language, and the hash of what was sent then.
    context.sql.run(`UPDATE revision SET language = '', hash = 'older'`)
    context.sql.run('DELETE FROM spoken')
    expect(languageOf(context, 'de')).toBeNull()
    expect(found(context, 'Häuser')).toEqual(['de'])
    expect(found(context, 'Welches Haus steht dort?')).toEqual([])
    expect(await put(world, mortal, [GERMAN])).toBe('accepted')
    expect(found(context, 'Welches Haus steht dort?')).toEqual(['de'])
    context.sql.run(`UPDATE revision SET language = ''`)
    expect(await put(world, mortal, [GERMAN])).toBe('accepted') // the same text, but its words would be stemmed otherwise now
    expect(await put(world, mortal, [GERMAN])).toBe('unchanged')
  })

  it('[T828] the state is the same in whatever order documents came, and empty when they are gone', async () => {
    const all = [GERMAN, SPANISH, ENGLISH, NUMBER]
    const states = await Promise.all(
      [all, [...all].reverse()].map(async (order) => {
        const { mortal, world } = opened()
        for (const one of order) await put(world, mortal, [one])
        const { graph } = mortal.context
        const state = [...graph.lines()].sort().join('\n')
        const sum = graph.state
        expect(graph.stemmings().map(String).sort()).toEqual(['de', 'es', 'undefined'])
        await put(
          world,
          mortal,
          [],
          all.map((one) => one.id),
        )
        expect([...graph.stemmings()]).toEqual([])
        expect(graph.match(['hau', 'haus', 'far', 'faro'], 10)).toEqual([])
        return { state, sum }
      }),
    )
    expect(states[1]).toEqual(states[0])
  })

  it('[T965] what an export says of a language that was told makes no other document of it when it comes back', async () => {
    const { mortal, world } = opened()
    await put(world, mortal, [GERMAN, ENGLISH])
    const { context } = mortal
    expect(Object.fromEntries(listLanguagesOf(context.sql, ['de', 'en', 'es', 'gone']))).toEqual({ de: 'de', en: 'en' })
    expect(await put(world, mortal, [{ ...GERMAN, language: 'de' }])).toBe('unchanged')
    expect(await put(world, mortal, [{ ...ENGLISH, language: 'de' }])).toBe('accepted')
    expect(await put(world, mortal, [{ ...ENGLISH, language: 'de' }])).toBe('unchanged')
    expect(await put(world, mortal, [ENGLISH])).toBe('accepted') // what was given is given no more: its text tells
    expect(languageOf(context, 'en')).toBe('en')
  })

  it('[T966] one is corrected with everything else as it was, and told by its text again; not by who may not read it', async () => {
    const { mortal, world } = opened()
    const outline = [{ start: 0, page: 7 }]
    const first = { ...GERMAN, title: 'Lerche', metadata: { year: 1910 }, url: 'https://example.org/l', outline, access: ['group:a'] }
    await put(world, mortal, [first])
    const { context } = mortal
    const corrected = (language: 'nl' | 'de' | null, asker: readonly string[] | 'all' = 'all') =>
      setLanguage(context, { id: 'de', language, asker }, undefined)?.kind
    expect(corrected('nl', ['group:b'])).toBeUndefined()
    expect(corrected('nl')).toBe('accepted')
    await finish(mortal, world, noBill())
    const after = document(context, 'de', 'all')
    expect(after).toMatchObject({ language: 'nl', title: 'Lerche', metadata: { year: 1910 }, url: first.url, access: ['group:a'] })
    expect(after?.outline?.[0]).toMatchObject({ start: 0, page: 7 })
    expect(found(context, 'Häuser', { language: ['nl'] })).toEqual(['de'])
    expect(corrected('nl')).toBe('unchanged')
    expect(corrected(null)).toBe('accepted')
    await finish(mortal, world, noBill())
    expect(languageOf(context, 'de')).toBe('de')
    expect(found(context, 'Welches Haus steht dort?')).toEqual(['de'])
    expect(await put(world, mortal, [first])).toBe('unchanged')
  })

  it('[T967] a corpus from before languages were told is brought to them in slices, goes on after a crash, and puts nothing twice', async () => {
    const { mortal, world } = opened()
    const many = Array.from({ length: 70 }, (_, n) =>
      note(`n-${String(n).padStart(2, '0')}`, n % 2 ? `${GERMAN.text} ${n}.` : `${ENGLISH.text} ${n}.`),
    )
    await putOlder(world, mortal, [...many, NUMBER])
    const before = mortal.context.graph.version
    expect(found(mortal.context, 'Welches Haus steht dort?')).toEqual([])
    const started = startTelling(mortal.context)
    expect(startTelling(mortal.context)).toEqual(started) // one is under way
    expect(runMaintenanceSlice(mortal.context)).toBe(true)
    // A slice looks at 64, and what follows waits for those that are taken in again.
    expect(runMaintenanceSlice(mortal.context)).toBe(false)
    expect(['n-00', 'n-01', 'n-66'].map((id) => languageOf(mortal.context, id))).toEqual(['en', null, null])
    const job = started.kind === 'accepted' ? started.job : ''
    expect(findJob(mortal.context.sql, job)?.tally.counted.documents).toEqual({ done: 64, total: 71 })
    const again = world.wake()
    await finish(again, world, noBill())
    const { context } = again
    expect(many.map(({ id }) => languageOf(context, id))).toEqual(many.map((_, n) => (n % 2 ? 'de' : 'en')))
    expect(languageOf(context, 'short')).toBeNull()
    expect(found(context, 'Welches Haus steht dort?', { language: ['de'] }).length).toBeGreaterThan(0)
    expect(found(context, 'Häuser houses', { language: ['en'] }).length).toBeGreaterThan(0)
    expect(context.graph.version).toBeGreaterThan(before)
    expect(findJob(context.sql, job)).toMatchObject({ status: 'succeeded', phase: 'done' })
    const [versions, at] = [many.map(({ id }) => document(context, id, 'all')?.content_version), context.graph.version]
    startTelling(context)
    await finish(again, world, noBill())
    expect([many.map(({ id }) => document(context, id, 'all')?.content_version), context.graph.version]).toEqual([versions, at])
    expect(await put(world, again, many)).toBe('unchanged')
  })

  it('[T967] stopped it leaves what it has done and a graph derived anew alone, and a budget that is too small is its error', async () => {
    const { mortal, world } = opened()
    await putOlder(world, mortal, [GERMAN, ENGLISH])
    const { context } = mortal
    const started = startTelling(context)
    const job = findJob(context.sql, started.kind === 'accepted' ? started.job : '')
    expect(job && cancelJob(context, job)).toBe(true)
    await finish(mortal, world, noBill())
    expect(languageOf(context, 'de')).toBeNull()
    Object.assign(context, { config: { ...context.config, budget: { tokens: 1 } } })
    const second = startTelling(context)
    runMaintenanceSlice(context)
    expect(findJob(context.sql, second.kind === 'accepted' ? second.job : '')).toMatchObject({ status: 'failed', error: 'over_budget' })
  })

  it('[T968] what is found is counted by the languages of its documents, and of those that are admitted alone', async () => {
    const { mortal, world } = opened()
    await put(world, mortal, [
      GERMAN,
      note('de-2', 'Das Wetter auf der Insel war im Winter kalt und nass, und die Fischer blieben lange in den Stuben.'),
      SPANISH,
      ENGLISH,
      note('short', 'Kobalt 12'),
    ])
    const facets = (filters: Filters = {}) => {
      const result = retrieve(mortal.context, {
        strategy: 'keyword',
        text: 'Häuser houses faros Fischer Kobalt',
        near: {},
        topK: 1,
        budget: 4000,
        trace: false,
        options: {},
        asker: 'all',
        filters,
        facets: ['@language'],
      })
      return result.kind === 'evidence' ? result.facets : undefined
    }
    expect(facets()).toEqual({
      '@language': [
        { value: 'de', documents: 2 },
        { value: 'en', documents: 1 },
        { value: 'es', documents: 1 },
      ],
    })
    expect(facets({ language: ['es'] })).toEqual({ '@language': [{ value: 'es', documents: 1 }] })
  })
})
