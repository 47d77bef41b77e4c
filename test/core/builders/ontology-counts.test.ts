/** Kinds of things and relations, counted in a few texts. */
import { describe, expect, it } from 'vitest'
import { ontologySchema } from '../../../src/contract/ontology'
import { countOntology, ontologyOf, type SampledChunk } from '../../../src/core/ontology-counts'
import { entities } from '../../../src/core/text/entities'

const chunk = (
  document: string,
  text: string,
  types: { readonly [name: string]: string } = {},
  hidden: readonly string[] = [],
): SampledChunk => ({
  document,
  text,
  entities: [...new Set(entities(text).map(({ surface }) => surface))]
    .filter((name) => !hidden.includes(name))
    .map((name) => ({ name, ...(types[name] ? { type: types[name] } : {}) })),
})

const MILLS = chunk(
  'mills',
  'Ada Holm was a Danish engineer and writer. Otto Veit, an engineer of the mill, worked for Tidewater Company. Ada Holm worked for Granite Company. ' +
    'Mona Lind was the first baker of Aarhus. Later Otto Veit was born in Oslo, and every company paid him.',
)
const SHIPS = chunk(
  'ships',
  'Mona Lind worked for Harbour Company. Ada Holm moved to Oslo. Nora Smith met Ann Smith and John Smith. Ann Smith moved to Bergen.',
)

describe('an ontology counted in texts', () => {
  it('[V1636] has the kinds that sentences and names say, and the relations between names, with counts and examples', () => {
    const { types, relations } = countOntology([MILLS, SHIPS])
    expect(types).toEqual([
      { name: 'company', count: 3, examples: ['Tidewater Company', 'Granite Company', 'Harbour Company'] },
      { name: 'engineer', count: 2, examples: ['Ada Holm', 'Otto Veit'] },
    ])
    expect(relations).toEqual([
      { name: 'moved to', count: 2, subjects: [], objects: [], examples: expect.any(Array) },
      {
        name: 'worked for',
        count: 2,
        subjects: [],
        objects: ['company'],
        examples: [
          { subject: 'Ada Holm', object: 'Granite Company', document: 'mills' },
          { subject: 'Mona Lind', object: 'Harbour Company', document: 'ships' },
        ],
      },
    ])
  })

  it('[V1636] takes what a model has called an entity, in the place of what it cannot tell', () => {
    const types = { 'Ann Smith': 'Pilot', 'Nora Smith': 'pilot', Oslo: 'port', Bergen: 'port' }
    const { types: found, relations } = countOntology([chunk('ships', SHIPS.text, types)])
    expect(found.map(({ name, count }) => [name, count])).toEqual([
      ['pilot', 2],
      ['port', 2],
    ])
    expect(relations.find(({ name }) => name === 'moved to')?.objects).toEqual(['port'])
  })

  it('[V1635] counts no name that is not among those the asker may see', () => {
    const { types, relations } = countOntology([chunk('mills', MILLS.text, {}, ['Ada Holm', 'Oslo'])])
    expect(JSON.stringify([types, relations])).not.toMatch(/Holm|Oslo/)
  })

  it('[V1636] is nothing where nothing recurs, and is bounded by what can be set where much does', () => {
    const nothing = countOntology([chunk('a', 'Only one Heron flies. Es war kalt.'), chunk('b', '')])
    expect([nothing, ontologyOf(nothing), ontologyOf(countOntology([]))]).toEqual([{ types: [], relations: [] }, null, null])
    const letters = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
    const many = Array.from({ length: 60 }, (_, n) =>
      chunk(
        `d${n}`,
        `Xan${letters(n)} is a kind${letters(n)}. Yul${letters(n)} is a kind${letters(n)}. Xan${letters(n)} greeted Yul${letters(n)}. Xan${letters(n)} warned Yul${letters(n)}.`,
      ),
    )
    const counted = countOntology(many)
    expect([counted.types.length, counted.relations.length]).toEqual([12, 2])
    expect(ontologySchema.safeParse(ontologyOf(counted)).success).toBe(true)
  })
})
