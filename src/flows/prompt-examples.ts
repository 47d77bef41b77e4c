/**
 * Two short texts of our own with what is to be drawn from them, shown to a model as turns before the material, which is what a small model follows
 * best; the one that gives more stands last, since it writes as much as the last reply did. What they name stands in no corpus.
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
    material: 'Nallic resin hardens in damp air. It must be stored dry.',
    knowledge_units: ['Nallic resin hardens in damp air.', 'Nallic resin must be stored dry.'],
    entities: [{ name: 'Nallic resin', type: 'material', description: 'hardens in damp air; must be stored dry' }],
    relations: [],
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

/** What of the last `count` is asked for: each as the material will be shown, and the reply to it. */
export function exampleTurns(want: { readonly units: boolean; readonly graph: boolean }, count: number): readonly Message[] {
  return examples.slice(-count).flatMap(({ material, knowledge_units, entities, relations }): Message[] => {
    const reply = { ...(want.units ? { knowledge_units } : {}), ...(want.graph ? { entities, relations } : {}) }
    return [
      { role: 'user', content: fenceTexts([material]).block },
      { role: 'assistant', content: JSON.stringify(reply) },
    ]
  })
}
