/** Languages of documents in the object: told, given, filtered by, and found by their own stems. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
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
})
