/** Under a filter: a report on things the caller may read of elsewhere is still not shown where it was written from a text they may not see. */
import { expect, it } from 'vitest'
import { kindOf } from '../../../src/core/ids'
import { archrag } from '../../../src/core/strategies/archrag/archrag'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { distinct, terms } from '../../../src/core/text/terms'
import { communitiesIn, type Doc, doc, settingsWith, vectorFor, world } from './worlds'

const TEXT = 'What stood beside Zyxland and Quorland?'
const said = (id: string, sentence: string): Doc => doc(id, [sentence], [vectorFor(sentence)])
const secret = said('secret', 'In secret stood Zyxland beside Quorland.')
const open = [said('one', 'There stood Zyxland.'), said('other', 'There stood Quorland.')]

it('[A23] a report is shown only to those who may see every text it was written from', () => {
  const one = world(settingsWith({}))
  one.change({ add: [secret, ...open] })
  const shown = (admits?: (chunk: string) => boolean): string[] => {
    const query = { text: TEXT, terms: distinct(terms(TEXT)), near: {}, vector: vectorFor(TEXT), ...(admits ? { admits } : {}) }
    const out = archrag.retrieve(one.graph, query, new Map(), { topK: 10, budget: 4000, trace: false, own: {} }, one.settings)
    return out.kind === 'evidence' ? out.found.map(({ id }) => id) : []
  }
  const [community] = communitiesIn(one.graph)
  expect(community && communityOf(community).from).toContain(secret.chunk.id)
  expect(shown()).toContain(community?.id)
  expect(shown(() => true)).toContain(community?.id)
  const rest = shown((chunk) => chunk !== secret.chunk.id)
  expect(rest.map(kindOf)).toEqual(['passage', 'passage'])
  for (const each of open) expect(rest).toContain(each.chunk.passages[0]?.id)
})
