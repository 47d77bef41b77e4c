/**
 * Two short texts of our own with what is to be drawn from them, shown to a model before the material. The one that gives more stands last: a small model
 * writes as much as the last example does. What they name stands in no corpus.
 */

interface Example {
  readonly material: string
  readonly knowledge_units: readonly string[]
  readonly entities: readonly { readonly name: string; readonly type: string; readonly description: string }[]
  readonly relations: readonly {
    readonly source: string
    readonly target: string
    readonly description: string
    readonly strength: number
  }[]
}

const examples: readonly Example[] = [
  {
    material: 'Nallic resin hardens in damp air. It must be stored dry.',
    knowledge_units: ['Nallic resin hardens in damp air.', 'Nallic resin must be stored dry.'],
    entities: [{ name: 'Nallic resin', type: 'material', description: 'hardens in damp air; must be stored dry' }],
    relations: [],
  },
  {
    material: 'Ulla Brantner built the Tarnwick mill in 1911. She sold it to the town of Orrinhal, which uses it as a library.',
    knowledge_units: [
      'Ulla Brantner built the Tarnwick mill in 1911.',
      'Ulla Brantner sold the Tarnwick mill to the town of Orrinhal.',
      'Orrinhal uses the Tarnwick mill as a library.',
    ],
    entities: [
      { name: 'Ulla Brantner', type: 'person', description: 'built the Tarnwick mill in 1911 and sold it' },
      { name: 'Tarnwick mill', type: 'building', description: 'built in 1911, now a library' },
      { name: 'Orrinhal', type: 'town', description: 'owns the Tarnwick mill' },
    ],
    relations: [
      { source: 'Ulla Brantner', target: 'Tarnwick mill', description: 'built it in 1911', strength: 9 },
      { source: 'Orrinhal', target: 'Tarnwick mill', description: 'uses it as a library', strength: 8 },
    ],
  },
]

/** What of each is asked for. */
export function examplesOf(want: { readonly units: boolean; readonly graph: boolean }): readonly string[] {
  return examples.map(({ material, knowledge_units, entities, relations }) => {
    const reply = { ...(want.units ? { knowledge_units } : {}), ...(want.graph ? { entities, relations } : {}) }
    return `Example. Material: ${material}\nReply: ${JSON.stringify(reply)}`
  })
}
