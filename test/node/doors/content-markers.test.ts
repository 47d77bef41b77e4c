/** Markers in answers that a text model wrote, whole and in pieces. */
import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../../src/client/client'
import type { MarkerStyle } from '../../../src/contract/chat'
import { streamWithMarkers, withMarkers } from '../../../src/http/doors/content-markers'

const evidence = [{ url: 'https://example.com/a', link: 'https://example.com/a#page=7' }, { url: null }, { url: 'https://example.com/c' }]
const answer = 'Bread is baked on Tuesdays [1, 2]. Ships leave [3] at dawn.'
const span = { start: 0, end: 34 }
const second = { start: 35, end: answer.length }
const result = {
  answer,
  generator: 'model',
  citations: [
    { marker: 1, span },
    { marker: 3, span: second },
  ],
  support: [
    { claim: 'x', span: null },
    { claim: 'y', span: second },
  ],
  evidence,
} as unknown as Parameters<typeof withMarkers>[0]

async function streamed(pieces: readonly string[], style: MarkerStyle | undefined): Promise<string> {
  async function* events(): AsyncGenerator<AnswerEvent> {
    yield { event: 'retrieval', data: { evidence } } as unknown as AnswerEvent
    for (const text of pieces) yield { event: 'delta', data: { text } }
    yield { event: 'done', data: result } as unknown as AnswerEvent
  }
  let text = ''
  for await (const one of streamWithMarkers(events(), style)) if (one.event === 'delta') text += one.data.text
  return text
}

describe('markers a text model wrote', () => {
  const wanted = {
    numbers: answer,
    none: 'Bread is baked on Tuesdays. Ships leave at dawn.',
    links: 'Bread is baked on Tuesdays [[1]](https://example.com/a#page=7) [2]. Ships leave [[3]](https://example.com/c) at dawn.',
  } as const

  it.each(['numbers', 'none', 'links'] as const)('[D725] %s: whole, with every place where it then is', (style) => {
    const { answer: text, citations, support } = withMarkers(result, style)
    expect(text).toBe(wanted[style])
    expect(citations.map(({ span }) => text.slice(span.start, span.end))).toEqual(text.split(/(?<=\.) (?=Ships)/))
    expect(support.map(({ span }) => span && text.slice(span.start, span.end))).toEqual([null, text.slice(text.indexOf('Ships'))])
  })

  it.each(['numbers', 'none', 'links'] as const)('[D725] %s: in pieces, wherever they are cut', async (style) => {
    for (let cut = 1; cut < answer.length; cut++) {
      expect(await streamed([answer.slice(0, cut), answer.slice(cut)], style)).toBe(wanted[style])
    }
    expect(await streamed([...answer], style)).toBe(wanted[style])
    expect(await streamed([answer], style)).toBe(wanted[style])
  })

  it('[D725] stay as they were written unless told', async () => {
    expect([withMarkers(result, undefined), withMarkers(result, null)]).toEqual([result, result])
    expect(await streamed([...answer], undefined)).toBe(answer)
  })
})
