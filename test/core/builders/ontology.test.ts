/** What stays in the graph of an ontology: kinds of relations and which end is the subject, and what is outside. */
import { describe, expect, it } from 'vitest'
import { decideKnowledge } from '../../../src/core/builders/decided-chunk'
import { fromExtraction } from '../../../src/core/builders/extracted-knowledge'
import { packedKnowledge, unpackedKnowledge } from '../../../src/core/builders/knowledge-row'
import { findMentions } from '../../../src/core/builders/mention-list'
import { stated } from '../../../src/core/builders/relations'
import { MemoryGraph } from '../../../src/core/graph/memory'
import type { Chunk } from '../../../src/core/graph/types'
import { nodeId } from '../../../src/core/ids'
import { isKindOf } from '../../../src/core/ontology'
import { D } from './worlds'

const text = 'Ada Byron built the Norhaven Mill. Ada Byron met Karl Orm.'
const units = [text.slice(0, 34), text.slice(35)].map((one, i) => ({ id: `u${i}`, start: i * 35, end: i * 35 + one.length, passage: 0 }))
const chunk = { id: 'c_1', name: '', title: '', text, units } as unknown as Chunk
const [ada, mill, karl] = ['ada byron', 'norhaven mill', 'karl orm'].map((key) => nodeId('entity', key))
const { knowledge } = fromExtraction(chunk, findMentions(chunk), {
  units: [],
  entities: [
    { name: 'Ada Byron', type: 'person', description: 'builds' },
    { name: 'Norhaven Mill', type: 'windmill', description: 'grinds', outside: true },
  ],
  relations: [
    { source: 'Ada Byron', target: 'Norhaven Mill', description: 'built it', strength: 5, relation: 'built' },
    { source: 'Ada Byron', target: 'Karl Orm', description: 'met', strength: 3, outside: true },
  ],
})

describe('an ontology in the graph', () => {
  it('[V907] the edge says the relation and its subject, or that it is outside; kept exactly', () => {
    expect(unpackedKnowledge(packedKnowledge(knowledge))).toEqual(knowledge)
    expect(knowledge.entities.find(({ entity }) => entity === mill)?.outside).toBe(true)
    const edge = (a = '', b = '') => {
      const [source = '', target = ''] = [a, b].sort()
      return stated(new MemoryGraph(D), source, target, [{ chunk: chunk.id, unit: 0, strength: 5 }], () => knowledge).data
    }
    expect(edge(ada, mill)).toMatchObject({ description: 'built it', relation: 'built', subject: ada })
    expect(edge(ada, karl)).toMatchObject({ description: 'met', outside: true })
  })

  it('[V907] its subject follows what people decide', () => {
    const moved = decideKnowledge(
      knowledge,
      () => undefined,
      (entity) => ({ entity: entity === ada ? 'e_other' : entity, via: [] }),
    )
    expect(moved.knowledge.relations.find(({ kind }) => kind)?.kind).toEqual({ name: 'built', subject: 'e_other' })
  })

  it('[V907] a kind of a kind is of the type, and a type of none is not', () => {
    const types = [{ name: 'person' }, { name: 'engineer', parent: 'Persons' }, { name: 'millwright', parent: 'engineer' }]
    expect([isKindOf({ types }, 'millwright', ['person']), isKindOf({ types }, 'person', ['engineer'])]).toEqual([true, false])
  })
})
