/** A range of a text replaced: where the parts of the document begin then. */
import { expect, it } from 'vitest'
import { replaceRange } from '../../../src/core/text/replaced'

const TEXT = 'One page. Two pages. Three pages.'
const outline = [
  { start: 0, page: 1 },
  { start: 10, page: 2 },
  { start: 21, page: 3 },
]
const begun = (text: string, from: readonly { readonly start: number }[]) => from.map(({ start }) => text.slice(start, start + 5))

it('[D1614] parts that begin behind what was changed move along with the text, those before it stay', () => {
  const longer = replaceRange(TEXT, outline, { start: 0, end: 21 }, 'One page. Two thousand pages. ')
  expect(longer.text).toBe('One page. Two thousand pages. Three pages.')
  expect(begun(longer.text, longer.outline)).toEqual(['One p', 'Two t', 'Three'])
  const shorter = replaceRange(TEXT, outline, { start: 0, end: TEXT.length }, 'A page. Two pages. Three pages.')
  expect(begun(shorter.text, shorter.outline)).toEqual(['A pag', 'Two p', 'Three'])
})

it('[D1614] a part that begins within what was changed begins where the change does; one that is taken out leaves no place behind the text', () => {
  const merged = replaceRange(TEXT, outline, { start: 0, end: 21 }, 'All of it. ')
  expect(merged.outline.map(({ start }) => start)).toEqual([0, 0, 11])
  const cut = replaceRange(TEXT, outline, { start: 10, end: TEXT.length }, '')
  expect([cut.text, cut.outline.map(({ start }) => start)]).toEqual(['One page. ', [0, 10, 10]])
  expect(replaceRange(TEXT, [], { start: 0, end: 3 }, 'One')).toEqual({ text: TEXT, outline: [] })
})
