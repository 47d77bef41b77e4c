/** Filters under a name, in the object. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { dropFilter, putFilter, renameFilter, savedFilters } from '../../../durable-objects/corpus/query/saved-filters'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Filters } from '../../../src/ports/retrieval'
import { mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const note = (id: string, metadata: DocumentInput['metadata'], access: readonly string[] = []): DocumentInput => ({
  id,
  text: `The lantern of ${id} is lit at dusk.`,
  title: '',
  url: null,
  metadata,
  access,
})

async function settled(): Promise<CorpusContext> {
  const world = mortalWorld([], { models: 'none' })
  worlds.push(world)
  const mortal = world.wake()
  const upserts = [
    note('old', { year: 1912, lang: 'en' }),
    note('new', { year: 2024, lang: 'en' }),
    note('neu', { year: 2024, lang: 'de' }),
    note('secret', { year: 2024, lang: 'en' }, ['group:keepers']),
  ]
  accept(mortal.context, { kind: 'batch', upserts, deletes: [] })
  await finish(mortal, world, noBill())
  return mortal.context
}

function found(context: CorpusContext, filters: Filters): unknown {
  const asked = { strategy: 'keyword', text: 'Which lantern is lit at dusk?', near: {}, topK: 20, budget: 4000, trace: false, options: {} }
  const result = retrieve(context, { ...asked, filters, asker: [] })
  return result.kind === 'evidence' ? result.evidence.map((one) => one.document).sort() : result
}

describe('saved filters', () => {
  it('[J666] are called by name, and all that a question names must fit', async () => {
    const context = await settled()
    putFilter(context, 'recent', { metadata: { year: 2024 } })
    putFilter(context, 'english', { metadata: { lang: 'en' } })
    expect(found(context, { saved: ['recent'] })).toEqual(['neu', 'new'])
    expect(found(context, { saved: ['recent', 'english'] })).toEqual(['new'])
    expect(found(context, { saved: ['english'], metadata: { year: 1912 } })).toEqual(['old'])
    expect(found(context, { saved: ['recent'], document: ['old'] })).toEqual([])
  })

  it('[J666] of an unknown name are named, and one that is dropped is unknown', async () => {
    const context = await settled()
    expect(found(context, { saved: ['recent'] })).toEqual({ kind: 'filter_unknown', filter: 'recent' })
    putFilter(context, 'recent', { metadata: { year: 2024 } })
    putFilter(context, 'recent', { metadata: { year: 1912 } })
    expect(found(context, { saved: ['recent'] })).toEqual(['old'])
    expect([dropFilter(context, 'recent'), dropFilter(context, 'recent')]).toEqual(['done', 'missing'])
    expect(found(context, { saved: ['recent'] })).toEqual({ kind: 'filter_unknown', filter: 'recent' })
  })

  it('[J666] are a hundred at most', async () => {
    const context = await settled()
    for (let i = 0; i < 100; i++) putFilter(context, `f${i}`, { metadata: { year: i } })
    expect(putFilter(context, 'one more', { metadata: {} })).toBe('too_many')
    expect(putFilter(context, 'f7', { metadata: { year: 0 } })).toMatchObject({ name: 'f7' })
  })

  it('[J850] are renamed to a name that is free, and filter as before, by documents too that the asker may not read', async () => {
    const context = await settled()
    putFilter(context, 'both', { document: ['new', 'secret'] })
    putFilter(context, 'recent', { metadata: { year: 2024 } })
    expect(renameFilter(context, { from: 'both', to: 'recent' })).toBe('taken')
    expect(renameFilter(context, { from: 'nothing', to: 'x' })).toBe('missing')
    expect(renameFilter(context, { from: 'both', to: 'two' })).toBe('done')
    expect(found(context, { saved: ['both'] })).toEqual({ kind: 'filter_unknown', filter: 'both' })
    expect(savedFilters(context, 'all').map(({ name, filters }) => [name, filters])).toEqual([
      ['recent', { metadata: { year: 2024 } }],
      ['two', { document: ['new', 'secret'] }],
    ])
  })

  it('[J667] name to an asker only documents that they may read, and find no other', async () => {
    const context = await settled()
    putFilter(context, 'both', { document: ['new', 'secret'] })
    expect(savedFilters(context, []).map(({ filters }) => filters)).toEqual([{ document: ['new'] }])
    expect(savedFilters(context, 'all').map(({ filters }) => filters)).toEqual([{ document: ['new', 'secret'] }])
    expect(found(context, { saved: ['both'] })).toEqual(['new'])
  })
})
