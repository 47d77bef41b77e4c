/** What the text of a chat says of sources that disagree. */
import { expect, it } from 'vitest'
import type { AnswerEvent } from '../../../src/client/client'
import type { MarkerStyle } from '../../../src/contract/chat'
import { streamWithDisagreements, withDisagreements } from '../../../src/http/doors/disagreements-in-text'

const evidence = [{ url: 'https://example.com/a' }, { url: null }]
const deep = { marker: 1, document: 'atlas', title: 'The atlas', quote: 'It is 84 metres deep.' }
const deeper = { marker: 2, document: 'guide', quote: 'It is 97 metres deep.' }
const span = { start: 0, end: deep.quote.length }

const answered = (more: object) =>
  ({
    answer: deep.quote,
    generator: 'extract',
    citations: [{ marker: 1, span }],
    evidence,
    conflicts: [{ statements: [deep, deeper] }],
    ...more,
  }) as unknown as Parameters<typeof withDisagreements>[0]

/** The text as it stands whole, as it came in pieces, and as the end of the stream has it. */
async function texts(more: object, style?: MarkerStyle): Promise<readonly string[]> {
  const result = answered(more)
  async function* events(): AsyncGenerator<AnswerEvent> {
    yield { event: 'retrieval', data: { evidence } } as unknown as AnswerEvent
    yield { event: 'delta', data: { text: result.answer } }
    yield { event: 'done', data: result } as unknown as AnswerEvent
  }
  let [streamed, end] = ['', '']
  for await (const one of streamWithDisagreements(events(), style)) {
    if (one.event === 'delta') streamed += one.data.text
    if (one.event === 'done') end = one.data.answer
  }
  return [...new Set([withDisagreements(result, style).answer, streamed, end])]
}

const both = `${deep.quote}\n\nSources disagree: “It is 84 metres deep.” (The atlas)`

it('[H2050] a conflict is a last paragraph, whole and streamed, with markers in the requested form', async () => {
  expect(await texts({})).toEqual([`${both} / “It is 97 metres deep.” (guide).`])
  expect(await texts({}, 'none')).toEqual([`${both} / “It is 97 metres deep.” (guide).`])
  expect(await texts({}, 'numbers')).toEqual([`${both} [1] / “It is 97 metres deep.” (guide) [2].`])
  expect(await texts({}, 'links')).toEqual([`${both} [[1]](https://example.com/a) / “It is 97 metres deep.” (guide) [2].`])
})

it('[H2050] so is what a newer source or a newer version replaced', async () => {
  const replaced = { conflicts: undefined, superseded: [{ current: deep, replaced: [deeper] }] }
  expect(await texts(replaced)).toEqual([
    `${deep.quote}\n\nA newer source contradicts an older one: “It is 84 metres deep.” (The atlas) replaces “It is 97 metres deep.” (guide).`,
  ])
  const earlier = [{ quote: 'It is 90 metres deep.', replaced_at: '2026-01-02T00:00:00.000Z', start: 0, end: 21 }]
  expect(await texts({ conflicts: undefined, superseded: [{ current: deep, replaced: [], earlier }] })).toEqual([
    `${deep.quote}\n\nA newer version of this source says something else: “It is 84 metres deep.” (The atlas) replaces “It is 90 metres deep.” (an older version, until 2026-01-02).`,
  ])
})

it('[H2050] nothing is added where a model cited all sides, calls a function, or nothing disagrees', async () => {
  const sides = [{ marker: 1 }, { marker: 2 }]
  expect(await texts({ generator: 'model', citations: sides })).toEqual([deep.quote])
  expect(await texts({ generator: 'model' })).toEqual([`${both} [1] / “It is 97 metres deep.” (guide) [2].`])
  expect(await texts({ tool_calls: [{ id: 'x', name: 'f', arguments: '{}' }] })).toEqual([deep.quote])
  expect(await texts({ conflicts: undefined })).toEqual([deep.quote])
})
