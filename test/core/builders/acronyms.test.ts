import { describe, expect, it } from 'vitest'
import { namedAlso } from '../../../src/core/builders/aliases'
import { findMentions } from '../../../src/core/builders/mention-list'
import { mentions } from '../../../src/core/builders/mentions'
import { nameId } from '../../../src/core/builders/sense-list'
import { MemoryGraph } from '../../../src/core/graph/memory'
import { nodeId } from '../../../src/core/ids'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { acronyms, standsFor } from '../../../src/core/text/acronyms'
import { divide } from '../../../src/core/text/divide'
import { entities } from '../../../src/core/text/entities'
import { nameKey } from '../../../src/core/text/names'
import { sentences } from '../../../src/core/text/sentences'

const of = (text: string) =>
  Object.fromEntries(
    acronyms(sentences(text).map(({ start, end }) => ({ text: text.slice(start, end), names: entities(text.slice(start, end)) }))),
  )

describe('short names', () => {
  it('[E820] stand for the name before or behind their parentheses whose letters they are', () => {
    expect(of('She works for the World Health Organization (WHO) in Geneva.')).toEqual({ WHO: 'World Health Organization' })
    expect(of('The WHO (World Health Organization) met.')).toEqual({ WHO: 'World Health Organization' })
    expect(entities('What does the WHO say of it?').map((one) => one.surface)).toEqual(['WHO'])
    expect(entities('WHO is it? It is us.')).toEqual(entities('WHO is it? It is us.').filter((one) => one.surface === 'WHO'))
    expect(of('He left the University of California, Los Angeles and the Massachusetts Institute of Technology (MIT).')).toEqual({
      MIT: 'Massachusetts Institute of Technology',
    })
    expect(of('The European Organization for Nuclear Research (ERN) and the Central Intelligence Agency (CIA; Langley).')).toEqual({
      CIA: 'Central Intelligence Agency',
    })
    expect(of('Damals fuhr die Deutsche Bundesbahn (DB) dorthin.')).toEqual({ DB: 'Deutsche Bundesbahn' })
  })

  it('[E820] are none where the letters are not those of the name', () => {
    for (const text of [
      'He moved to London (UK) in May.',
      'The Planet Mercury (Hg) is heavy.',
      'Anna Berg (1912) painted.',
      'The World Health Organization (Geneva) met.',
      'The World Health Organization (see WHO) met.',
      'The Old Mill (TOM LEE) stands.',
    ])
      expect([text, of(text)]).toEqual([text, {}])
    expect(standsFor('WHO', 'Health Organization')).toBe(false)
    expect(standsFor('W', 'World Health')).toBe(false)
    expect(standsFor('NaCl', 'Sodium Chloride')).toBe(false)
  })

  it('[E820] that stand for two names in one chunk stand for neither', () => {
    expect(of('The American Bar Association (ABA) met the American Birding Association (ABA).')).toEqual({})
    expect(of('The World Health Organization (WHO) met. The World Health Organization (WHO) rose.')).toEqual({
      WHO: 'World Health Organization',
    })
  })

  it('[E820] are other names of the entity, in every sentence of the chunk; those of other documents stay apart', () => {
    const graph = new MemoryGraph(4)
    const chunks = [
      'The American Bar Association (ABA) licenses lawyers. The ABA meets in Chicago.',
      'The American Birding Association (ABA) counts birds.',
      'Nobody from the ABA came.',
    ].map((text) => divide({ title: '', text }, defaultSettings.chunking).chunks[0])
    const all = chunks.flatMap((chunk) => chunk ?? [])
    const put = all.map((chunk) => ({ op: 'put-chunk' as const, chunk, vectors: { passages: [], units: [] } }))
    graph.apply(put)
    const delta = { added: all, removed: [], documents: { added: [], removed: [] }, replies: [] }
    graph.apply(mentions.update(graph, delta, defaultSettings).patch)
    const id = (name: string): string => nodeId('entity', nameKey(name))
    expect([...namedAlso(graph, nameId(nameKey('ABA')), 10)].sort()).toEqual(
      [id('American Bar Association'), id('American Birding Association')].sort(),
    )
    expect(
      findMentions(all[0] as (typeof all)[number])
        .find((one) => one.entity === id('American Bar Association'))
        ?.units.filter((unit) => unit >= 0),
    ).toEqual([0, 1])
    expect(graph.edgesTo('mentions', id('ABA'))).toHaveLength(3)
    // As if none had come.
    const removed = all.map((chunk) => ({ chunk, vectors: { passages: [], units: [] } }))
    graph.apply(mentions.update(graph, { ...delta, added: [], removed }, defaultSettings).patch)
    expect([...namedAlso(graph, nameId(nameKey('ABA')), 10)]).toEqual([])
  })
})
