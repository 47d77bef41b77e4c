/** Where evidence and citations stand in the files their documents were read from, as the object knows it. */
import { afterEach, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { givenOutlines, locateQuotes } from '../../../durable-objects/corpus/query/locations'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import type { DocumentInput } from '../../../src/ports/documents'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function begun(): { readonly world: World; readonly mortal: Mortal } {
  const world = mortalWorld([], { chunking: { chunk: 60, overlap: 10, passage: 30 }, models: 'none' })
  worlds.push(world)
  return { world, mortal: world.wake() }
}

const input = (id: string, text: string, more: Partial<DocumentInput> = {}): DocumentInput => ({
  id,
  text,
  title: '',
  url: null,
  metadata: {},
  ...more,
})

const foundFor = ({ context }: Mortal, text: string) => {
  const request = { strategy: 'keyword', text, near: {}, topK: 1, budget: 4000, trace: false, options: {} }
  const result = retrieve(context, request)
  return result.kind === 'evidence' ? result.evidence[0] : undefined
}

const words = (n: number): string => Array.from({ length: n }, (_, i) => `Sentence ${i} is about nothing much.`).join(' ')

it('[Q580] evidence and quotes say the page and the headings they stand under, of the version that is served', async () => {
  const { world, mortal } = begun()
  const text = `# Birds\n\n${words(20)}\n\n## Herons\n\nThe zygodactyl heron waits. ${words(20)}\n\n## Owls\n\nAn owl hunts.`
  const outline = [
    { start: 0, page: 1 },
    { start: text.indexOf('## Herons'), page: 2 },
    { start: text.indexOf('## Owls'), page: 3 },
  ]
  const more = { outline, url: 'https://example.com/birds.pdf' }
  accept(mortal.context, { kind: 'ingest', upserts: [input('a', text, more)], deletes: [] })
  await finish(mortal, world, noBill())
  expect(foundFor(mortal, 'zygodactyl')).toMatchObject({
    page: 2,
    section: ['Birds', 'Herons'],
    link: 'https://example.com/birds.pdf#page=2',
  })
  const start = text.indexOf('An owl hunts.')
  const quote = { document: 'a', start, end: start + 13, quote: 'An owl hunts.' }
  const location = { page: 3, section: ['Birds', 'Owls'], link: 'https://example.com/birds.pdf#page=3' }
  expect(locateQuotes(mortal.context, [quote, { ...quote, quote: 'An owl sleeps' }])).toEqual([location, null])
  expect(document(mortal.context, 'a')?.outline?.map(({ page, heading }) => page ?? heading)).toEqual([1, 'Birds', 2, 'Herons', 3, 'Owls'])
  expect(givenOutlines(mortal.context, ['a', 'none'])).toEqual({ a: outline })
})

it('[Q581] an outline that changes makes a new version of a text that does not; deleting a document deletes its outline', async () => {
  const { world, mortal } = begun()
  const text = '# Birds\n\nA heron waits.'
  const put = async (more: Partial<DocumentInput> = {}) => {
    const accepted = accept(mortal.context, { kind: 'ingest', upserts: [input('a', text, more)], deletes: [] })
    await finish(mortal, world, noBill())
    return accepted.kind
  }
  const rows = () => mortal.context.sql.all<{ revision: number }>('SELECT revision FROM outline').length
  expect([await put(), await put(), await put({ outline: [] }), rows()]).toEqual(['accepted', 'unchanged', 'unchanged', 1])
  expect([await put({ outline: [{ start: 0, slide: 4 }] }), foundFor(mortal, 'heron')?.slide, rows()]).toEqual(['accepted', 4, 1])
  accept(mortal.context, { kind: 'delete', upserts: [], deletes: ['a'] })
  await finish(mortal, world, noBill())
  expect(rows()).toBe(0)
})

it('[Q580] lines of code are counted exactly in every chunk', async () => {
  const { world, mortal } = begun()
  const text = Array.from({ length: 120 }, (_, i) => `const value${i + 1} = make('word${i + 1}') // a comment of some length`).join('\n')
  accept(mortal.context, {
    kind: 'ingest',
    upserts: [input('a.ts', `# shebang\n${text}`, { outline: [{ start: 0, line: 1 }] })],
    deletes: [],
  })
  await finish(mortal, world, noBill())
  const lines = `# shebang\n${text}`.split('\n')
  for (const n of [3, 41, 77, 118]) {
    const found = foundFor(mortal, `word${n}`)
    const first = found?.text.split('\n')[0] ?? '?'
    expect([found?.section, lines[(found?.line ?? 0) - 1]?.includes(first)]).toEqual([undefined, true])
  }
})
