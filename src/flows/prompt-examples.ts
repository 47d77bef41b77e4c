/**
 * Two short texts of our own with the expected extraction, shown to a model as turns before the material, a form that small models follow
 * best; the richer one comes last, since a model writes as much as the last reply did. No corpus contains what they name.
 */
import type { Extraction } from '../core/strategy'
import type { Message } from '../ports/models'
import { fenceTexts } from './fence'

interface Example extends Pick<Extraction, 'entities' | 'relations'> {
  readonly material: string
  readonly knowledge_units: readonly string[]
}

const examples: readonly Example[] = [
  {
    material: 'The Velda Canal joins Lake Ontrey to the Marsk. It was dug by Joren Plaat and opened in 1902.',
    knowledge_units: [
      'The Velda Canal joins Lake Ontrey to the Marsk.',
      'The Velda Canal was dug by Joren Plaat.',
      'The Velda Canal was opened in 1902.',
    ],
    entities: [
      { name: 'Velda Canal', type: 'canal', description: 'opened in 1902' },
      { name: 'Lake Ontrey', type: 'lake', description: 'at one end of the canal' },
      { name: 'Marsk', type: 'river', description: 'at the other end of the canal' },
      { name: 'Joren Plaat', type: 'person', description: 'dug the canal' },
    ],
    relations: [
      { source: 'Velda Canal', target: 'Lake Ontrey', description: 'joins', strength: 8 },
      { source: 'Velda Canal', target: 'Marsk', description: 'joins', strength: 8 },
      { source: 'Joren Plaat', target: 'Velda Canal', description: 'dug', strength: 9 },
    ],
  },
  {
    material:
      'Ulla Brantner, an engineer from Orrinhal, built the Tarnwick mill in 1911 for the Hask brothers. After the flood of 1934 they sold it to the ' +
      'town, which uses it as a library.',
    knowledge_units: [
      'Ulla Brantner is an engineer from Orrinhal.',
      'Ulla Brantner built the Tarnwick mill in 1911 for the Hask brothers.',
      'After the flood of 1934 the Hask brothers sold the Tarnwick mill to Orrinhal.',
      'Orrinhal uses the Tarnwick mill as a library.',
    ],
    entities: [
      { name: 'Ulla Brantner', type: 'person', description: 'an engineer' },
      { name: 'Orrinhal', type: 'town', description: 'home of Ulla Brantner' },
      { name: 'Tarnwick mill', type: 'building', description: 'built in 1911, now a library' },
      { name: 'Hask brothers', type: 'family', description: 'had the mill built' },
      { name: 'flood of 1934', type: 'event', description: 'the mill was sold after it' },
    ],
    relations: [
      { source: 'Ulla Brantner', target: 'Orrinhal', description: 'comes from', strength: 6 },
      { source: 'Ulla Brantner', target: 'Tarnwick mill', description: 'built it in 1911', strength: 9 },
      { source: 'Hask brothers', target: 'Tarnwick mill', description: 'sold it after the flood of 1934', strength: 8 },
      { source: 'Orrinhal', target: 'Tarnwick mill', description: 'uses it as a library', strength: 8 },
    ],
  },
]

/** Names in them: a model that has read another text does not write these. */
export function exampleNames(): readonly string[] {
  return examples.flatMap(({ entities }) => entities.map(({ name }) => name))
}

/** Descriptions in them. */
export function exampleDescriptions(): readonly string[] {
  return examples.flatMap(({ entities, relations }) => [...entities, ...relations].map(({ description }) => description))
}

/**
 * Kinds of things in the examples, in the form in which they should be proposed for a whole collection: without an example a small model
 * proposes nothing at all.
 */
export function kindTurns(): readonly Message[] {
  const kinds = {
    types: [
      { name: 'person', description: 'somebody with a name', parent: '', examples: ['Joren Plaat', 'Ulla Brantner'] },
      { name: 'engineer', description: 'a person who builds', parent: 'person', examples: ['Ulla Brantner'] },
      { name: 'canal', description: 'a waterway that was dug', parent: '', examples: ['Velda Canal'] },
      { name: 'building', description: 'a house, a mill or the like', parent: '', examples: ['Tarnwick mill'] },
      { name: 'place', description: 'a town, a lake or a river', parent: '', examples: ['Orrinhal', 'Lake Ontrey', 'Marsk'] },
    ],
    relations: [
      {
        name: 'built',
        description: 'made it, or dug it',
        subjects: ['person'],
        objects: ['building', 'canal'],
        examples: [
          { subject: 'Ulla Brantner', object: 'Tarnwick mill' },
          { subject: 'Joren Plaat', object: 'Velda Canal' },
        ],
      },
      {
        name: 'comes from',
        description: 'was born or lives there',
        subjects: ['person'],
        objects: ['place'],
        examples: [{ subject: 'Ulla Brantner', object: 'Orrinhal' }],
      },
      {
        name: 'leads to',
        description: 'ends there',
        subjects: ['canal'],
        objects: ['place'],
        examples: [{ subject: 'Velda Canal', object: 'Marsk' }],
      },
    ],
  }
  return [
    { role: 'user', content: fenceTexts(examples.map(({ material }) => material)).block },
    { role: 'assistant', content: JSON.stringify(kinds) },
  ]
}

/** Our examples described as a whole collection: instructions, in the form in which a model should propose them. */
export const instructed = {
  domain: 'waterworks and mills, and who built them',
  draw: ['buildings and waterways, with who built, owned and used them', 'events that changed an owner, with their year'],
  leave_out: ['years and places as things of their own'],
} as const

export function instructionTurns(): readonly Message[] {
  return [
    { role: 'user', content: fenceTexts(examples.map(({ material }) => material)).block },
    { role: 'assistant', content: JSON.stringify(instructed) },
  ]
}

/**
 * The requests and replies for the last `count` examples: each as the material will be shown, and the reply to it. `kinds`: relations have
 * one.
 */
export function exampleTurns(want: { readonly units: boolean; readonly graph: boolean }, count: number, kinds = false): readonly Message[] {
  return examples.slice(-count).flatMap(({ material, knowledge_units, entities, relations: bare }): Message[] => {
    const relations = kinds ? bare.map((one) => ({ ...one, relation: kindOf(one.description) })) : bare
    const reply = { ...(want.units ? { knowledge_units } : {}), ...(want.graph ? { entities, relations } : {}) }
    return [
      { role: 'user', content: fenceTexts([material]).block },
      { role: 'assistant', content: JSON.stringify(reply) },
    ]
  })
}

/** The word that relates the two: “built” from “built it in 1911”. */
export function kindOf(description: string): string {
  return description.split(' ')[0] ?? ''
}
