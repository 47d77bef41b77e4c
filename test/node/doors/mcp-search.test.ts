/** MCP's `search` over the corpora that a caller may see. */
import { expect, it } from 'vitest'
import { Loam } from '../../../src/client/client'
import { disagreementsOf } from '../../../src/http/doors/disagreements'
import { questionAnswered } from '../../../src/http/doors/mcp-answers'
import type { Door } from '../../../src/http/doors/mcp-door'
import { searchAll } from '../../../src/http/doors/mcp-search'

const piece = (corpus: string, text: string, start: number) => ({
  id: `p_${start}`,
  kind: 'passage',
  layer: 0,
  score: 1,
  text,
  tokens: 3,
  document: 'd',
  chunk: null,
  start,
  end: start + text.length,
  via: 'keyword',
  corpus,
})

it('[J664] without a corpus up to eight are asked as one question, grouped by document, and those that could not be asked are named', async () => {
  const asked: { path: string; body: unknown }[] = []
  const fetch = async (request: Request): Promise<Response> => {
    asked.push({ path: new URL(request.url).pathname, body: await request.json() })
    const evidence = [piece('a', 'one', 0), piece('b', 'two', 0), piece('a', 'three', 9)]
    return Response.json({ evidence, skipped: [{ corpus: 'c', code: 'unavailable' }] })
  }
  const names = 'abcdefghij'.split('')
  const door: Door = {
    loam: new Loam({ url: 'https://loam.test', fetch }),
    origin: 'https://loam.test',
    fixed: undefined,
    corpora: async () => names,
  }
  const found = await searchAll(door, undefined, { query: 'x', min_version: 3 })
  expect(asked).toEqual([{ path: '/v1/search', body: { query: 'x', corpora: names.slice(0, 8) } }])
  expect(found.results.map(({ id, text }) => [id, text])).toEqual([
    ['a/d', 'one\n…\nthree'],
    ['b/d', 'two'],
  ])
  expect(found.skipped).toEqual([{ corpus: 'c', code: 'unavailable' }])
  await searchAll(door, 'b', { query: 'x' })
  expect(asked.at(-1)?.path).toBe('/v1/corpora/b/search')
})

it('[D1603] `ask` tells a model in words what was replaced and what contradicts, and as data', () => {
  const at = { id: 'p', marker: 1, start: 0, end: 3 }
  const told = {
    superseded: [
      {
        current: { ...at, document: 'new', title: 'Fares', quote: '40 thalers' },
        replaced: [{ ...at, document: 'old', quote: '30 thalers' }],
        earlier: [{ start: 0, end: 3, quote: '20 thalers', replaced_at: '2024-03-01T10:00:00.000Z' }],
      },
    ],
    conflicts: [
      {
        statements: [
          { ...at, document: 'atlas', quote: '84 metres' },
          { ...at, document: 'guide', quote: '97 metres' },
        ],
      },
    ],
  }
  expect(disagreementsOf(told)).toEqual([
    'replaced: “40 thalers” (Fares) replaces “30 thalers” (old), “20 thalers” (an older version, until 2024-03-01)',
    'conflict: “84 metres” (atlas) / “97 metres” (guide)',
  ])
  expect(disagreementsOf({})).toEqual([])
  expect(Object.keys(questionAnswered.shape)).toEqual(expect.arrayContaining(['superseded', 'conflicts']))
})
