/** The name of an entity that a person gave to what was merged into it: who is shown it. */
import { expect, it } from 'vitest'
import { visibleEntity } from '../../../src/core/access/visible-entity'
import { shownName } from '../../../src/core/builders/mentions'
import type { Edge, GraphNode, Json } from '../../../src/core/graph/types'
import { nodeId } from '../../../src/core/ids'

const SEEN = 'Ada Lovelace'
const id = nodeId('entity', 'ada lovelace')

function entity(named: Json): GraphNode {
  const data = { key: 'ada lovelace', chunks: 2, aliases: { [SEEN]: 1, 'Project Heron': 1 }, named }
  return { id, kind: 'entity', layer: 0, text: 'The Heron’s author', tokens: 4, data }
}

function shownTo(sees: (chunk: string) => boolean, named: Json): string | undefined {
  const mention = (source: string): Edge => ({ kind: 'mentions', source, target: id, weight: 1, data: {} })
  return visibleEntity(entity(named), {
    mentions: () => [mention('open'), mention('closed')],
    said: (chunk) => [{ entity: id, key: 'ada lovelace', surfaces: [[chunk === 'open' ? SEEN : 'Project Heron', 1]], units: [0] }],
    sees,
  })?.text
}

it('[H2051] a name that came with a merge is shown to who may read all that mentions the entity, one given to it to all', () => {
  expect(shownTo(() => true, 'brought')).toBe('The Heron’s author')
  expect(shownTo((chunk) => chunk === 'open', 'brought')).toBe(shownName(id, [[SEEN, 1]]))
  expect(shownTo((chunk) => chunk === 'open', true)).toBe('The Heron’s author')
  expect(shownTo(() => false, true)).toBeUndefined()
})
