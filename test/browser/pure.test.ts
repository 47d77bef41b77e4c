/** What the page works out by itself, without a browser. */
import type { VNode } from 'preact'
import { describe, expect, it } from 'vitest'
import type { Citation, CommitReceipt, Document, Node } from '../../src/client/client'
import { bodyOf, unchosen } from '../../ui/src/ask/choices'
import { choicesFromQuery, choicesInQuery } from '../../ui/src/ask/choices-text'
import { namesOf } from '../../ui/src/ask/numbers'
import { levelOf } from '../../ui/src/ask/support'
import { inWords, leadingTo, namesIn } from '../../ui/src/ask/way'
import { withSources } from '../../ui/src/ask/with-sources'
import { byJob } from '../../ui/src/checks/receipt-groups'
import { finderOf } from '../../ui/src/graph/mentions'
import { mergePictures, type Picture } from '../../ui/src/graph/picture'
import { nearest, withoutChunks } from '../../ui/src/graph/readable'
import { headingOf, treeOf } from '../../ui/src/graph/segment-tree'
import { sentenceNaming } from '../../ui/src/graph/sentence'
import { leftWords, progressWords } from '../../ui/src/jobs/progress'
import { tableText, textColumn, textsIn } from '../../ui/src/labels/texts-to-sort'
import { spelledOut, waysIn } from '../../ui/src/labels/words'
import { arrange, everything, isArranged, kindsOf, type Wanted } from '../../ui/src/library/arrange'
import { exampleLines, examplesFrom } from '../../ui/src/operate/example-lines'
import { relationLines, relationsFrom, typeLines, typesFrom } from '../../ui/src/operate/ontology-lines'
import { nameOfDate } from '../../ui/src/shared/dates'
import { isMarkdown } from '../../ui/src/text/is-markdown'
import { joinLines } from '../../ui/src/text/lines'
import { Markdown } from '../../ui/src/text/markdown'
import { windowAround } from '../../ui/src/text/window'

it('[Q1928] a sign before a value filters by a bound or what must not be, and a link carries it', () => {
  const choices = { ...unchosen, filters: { year: ['>= 1990', '<2000'], status: ['!= draft'], bird: ['heron'] } }
  const metadata = { year: { gte: 1990, lt: 2000 }, status: { not: ['draft'] }, bird: ['heron'] }
  expect(bodyOf(choices).filters).toEqual({ metadata })
  expect(choicesFromQuery(choicesInQuery(choices))).toEqual(choices)
})

describe('worked examples in lines', () => {
  it('[W1996] what is written comes back as it was, with the document its passage is known from', () => {
    const examples = [
      {
        text: 'Ada Holm works for Tidewater.',
        entities: [
          { name: 'Ada Holm', type: 'person', description: 'an engineer' },
          { name: 'Tidewater', type: 'company', description: '' },
        ],
        relations: [
          { source: 'Ada Holm', target: 'Tidewater', description: 'is paid by', strength: 8, relation: 'works for' },
          { source: 'Tidewater', target: 'Ada Holm', description: 'pays', strength: 5 },
        ],
        document: 'book',
      },
      { text: 'Oslo lies by the sea.', entities: [{ name: 'Oslo', type: 'town', description: '' }], relations: [] },
    ]
    expect(examplesFrom(exampleLines(examples), examples)).toEqual(examples)
    expect(examplesFrom(exampleLines(examples))).toEqual(examples.map(({ document: _, ...one }: (typeof examples)[number]) => one))
    const broken = [{ text: 'Oslo lies\nby the sea.', entities: [{ name: 'Oslo', type: 'town', description: '' }], relations: [] }]
    expect(examplesFrom(exampleLines(broken), broken)).toEqual(broken)
    expect(examplesFrom(` ${exampleLines(examples)} \n\n\n`)[0]?.document).toBeUndefined()
    expect(examplesFrom(' \n\n')).toEqual([])
    expect(examplesFrom('Alone')).toEqual([{ text: 'Alone', entities: [], relations: [] }]) // the service says what is missing
  })
})

describe('an ontology in lines', () => {
  it('[V906] what is written comes back as it was', () => {
    const types = 'person: somebody with a name\nengineer < person\nguild: of a trade'
    const relations = 'member of (person, guild > *): pays dues\nknows'
    expect(typesFrom(types)).toEqual([
      { name: 'person', description: 'somebody with a name' },
      { name: 'engineer', parent: 'person' },
      { name: 'guild', description: 'of a trade' },
    ])
    expect(relationsFrom(relations)).toEqual([
      { name: 'member of', description: 'pays dues', subjects: ['person', 'guild'], objects: [] },
      { name: 'knows', subjects: [], objects: [] },
    ])
    const ontology = { mode: 'open', types: typesFrom(`\n${types}\n`), relations: relationsFrom(relations) } as const
    expect([typeLines(ontology), relationLines(ontology)]).toEqual([types, relations])
  })
})

describe('the lines of a page', () => {
  it('[W1861] a sentence goes on where only the width of the page broke it; headings, ends and lists keep their lines', () => {
    const page = [
      '3. Tickets',
      'A single ticket costs 3.20 euros and is valid for 90 minutes. Bicycles need a',
      'ticket of 1.50 euros between seven and nine o’clock in the morning on weekdays.',
      'A refund is paid when a ferry is more than 30 minutes late, and asked for at the',
      '- office',
      '',
      'harbour',
    ]
    const joined = joinLines(page.join('\n'))
    expect(joined.split('\n')).toEqual([page[0], `${page[1]} ${page[2]}`, page[3], page[4], '', 'harbour'])
    expect(joined.length).toBe(page.join('\n').length)
    expect(joinLines('')).toBe('')
  })
})

describe('mentions', () => {
  const find = finderOf([
    { id: 'us', forms: ['United States', 'States'] },
    { id: 'un', forms: ['United'] },
    { id: 'riga', forms: ['Rīga', 'Riga'] },
    { id: 'x', forms: ['C+'] },
  ])

  it('[W41] the longest name at a place is found, at word boundaries only', () => {
    expect(find('The United States met.')).toEqual(['us'])
    expect(find('United we stand, Riga.')).toEqual(['un', 'riga'])
    expect(find('Rigas Unitedness')).toEqual([])
    expect(find('in Rīga')).toEqual(['riga'])
  })

  it('[W41] a text without names names nothing', () => {
    expect(find('')).toEqual([])
    expect(finderOf([])('Riga')).toEqual([])
  })
})

describe('receipts', () => {
  it('[W1549] are grouped by job, jobs first', () => {
    const receipt = (version: number, ...jobs: string[]) => ({ version, jobs }) as unknown as CommitReceipt
    const groups = byJob([receipt(6), receipt(5, 'j_2'), receipt(4), receipt(3, 'j_1'), receipt(2, 'j_2', 'j_1')])
    expect(groups.map(({ job, receipts }) => [job, ...receipts.map(({ version }) => version)])).toEqual([
      ['j_2', 5, 2],
      ['j_1', 3],
      [null, 6, 4],
    ])
  })
})

describe('a neighbourhood that is read', () => {
  const spot = (id: string, kind: string) => ({ id, kind, layer: 0, text: id })
  const tie = (kind: string, source: string, target: string, weight = 1) => ({ kind, source, target, weight })
  const picture: Picture = {
    nodes: [
      spot('riga', 'entity'),
      spot('marta', 'entity'),
      spot('anders', 'entity'),
      spot('c1', 'chunk'),
      spot('c2', 'chunk'),
      spot('log', 'document'),
    ],
    edges: [
      tie('contains', 'log', 'c1'),
      tie('contains', 'log', 'c2'),
      tie('mentions', 'c1', 'riga'),
      tie('mentions', 'c2', 'riga', 2),
      tie('relates', 'marta', 'riga', 3),
      tie('relates', 'anders', 'riga', 2),
      tie('relates', 'anders', 'marta'),
    ],
  }

  it('[W1541] a document stands for its chunks, and its edges add up', () => {
    const { nodes, edges } = withoutChunks(picture)
    expect(nodes.map(({ id }) => id)).toEqual(['riga', 'marta', 'anders', 'log'])
    expect(edges.filter(({ kind }) => kind !== 'relates')).toEqual([tie('mentions', 'log', 'riga', 3)])
    expect(withoutChunks(picture, 'c1').nodes.map(({ id }) => id)).toContain('c1')
  })

  it('[W1541] the closest are drawn, and the others counted', () => {
    const { picture: near, left } = nearest(withoutChunks(picture), 'riga', 1)
    expect(near.nodes.map(({ id }) => id)).toEqual(['riga', 'marta', 'log'])
    expect(near.edges.map(({ source, target }) => `${source} ${target}`)).toEqual(['log riga', 'marta riga'])
    expect(left).toBe(1)
  })

  it('[W1543] the sentence of an edge is the shortest that names both its ends', () => {
    const text = 'Marta Lind drew it. Riga keeps the map. Anders and Marta Lind met in Riga. It rained.'
    const said = (forms: readonly (readonly string[])[]) => {
      const span = sentenceNaming(text, forms)
      return span && text.slice(span.start, span.end)
    }
    expect(said([['Marta Lind', 'Marta'], ['Riga']])).toBe('Anders and Marta Lind met in Riga.')
    expect(said([['Riga']])).toBe('Riga keeps the map.')
    expect(said([['Riga'], ['Oslo']])).toBeNull()
  })

  it('[W1545] a heading is a title, or how a summary begins, cut at a word', () => {
    expect(headingOf({ text: 'Riga, Marta Lind\nThey met.', data: { title: 'Riga, Marta Lind' } })).toBe('Riga, Marta Lind')
    expect(headingOf({ text: 'It rained. It snowed.', data: {} })).toBe('It rained.')
    const long = headingOf({ text: `The ${'storm '.repeat(30)}`, data: {} })
    expect(long).toMatch(/^The (storm )+storm…$/)
    expect(long.length).toBeLessThan(75)
  })
})

const segment = (id: string, layer: number, members: readonly string[]): Node => ({
  id,
  kind: 'summary',
  layer,
  text: id,
  tokens: 1,
  data: { members },
})

describe('progress', () => {
  it('[W130] counts documents, chunks and texts apart, with speed and time left', () => {
    const counted = { documents: { done: 3, total: 72 }, chunks: { done: 128, total: 3264 }, texts: { done: 40_100, total: 79_000 } }
    const said = progressWords({ done: 9, total: 99, ...counted, rate: { texts: 812.4, chunks: 61 }, seconds_left: 48 })
    expect(said).toBe('3 of 72 documents, 128 of 3,264 chunks, 40,100 of 79,000 texts embedded, 812 texts a second, 48.0 s left')
    const none = { done: 0, total: 0 }
    expect(progressWords({ done: 2, total: 5, documents: none, chunks: none, texts: none })).toBe('2 of 5 tasks')
  })

  it('[W2040] of several files, the time left is “at least” so long while that of one is unknown', () => {
    expect([leftWords([]), leftWords([undefined]), leftWords([1, undefined]), leftWords([1, 48])]).toEqual([
      '',
      '',
      'at least 1.0 s left',
      'about 48.0 s left',
    ])
  })
})

describe('layers', () => {
  it('[W41] what no segment contains stands below the root, and every chunk is counted once', () => {
    const root = treeOf([
      segment('a', 1, ['c1', 'c2']),
      segment('b', 1, ['c3']),
      segment('top', 2, ['a', 'b']),
      segment('alone', 1, ['c4']),
    ])
    expect(root?.children.map(({ id, leaves }) => [id, leaves])).toEqual([
      ['top', 3],
      ['alone', 1],
    ])
    expect(root?.leaves).toBe(4)
  })

  it('[W41] without segments there is no tree, and segments that name each other do not hang the page', () => {
    expect(treeOf([])).toBeNull()
    expect(treeOf([segment('a', 1, ['b']), segment('b', 1, ['a'])])?.children).toEqual([])
  })
})

describe('pictures', () => {
  it('[W41] nodes and edges are kept once, and an edge without its ends is left out', () => {
    const node = (id: string) => ({ id, kind: 'entity', layer: 0, text: id })
    const edge = (source: string, target: string) => ({ kind: 'relates', source, target, weight: 1 })
    const one = { nodes: [node('a'), node('b')], edges: [edge('a', 'b'), edge('a', 'a')] }
    const two = { nodes: [node('b')], edges: [edge('a', 'b'), edge('b', 'gone')] }
    expect(mergePictures([one, two])).toEqual({ nodes: [node('a'), node('b')], edges: [edge('a', 'b')] })
  })
})

describe('a list of documents', () => {
  const one = (document: string, more: object = {}) =>
    ({ document, title: '', status: 'ready', active: true, chunks: 1, metadata: {}, ...more }) as unknown as Document
  const all = [
    one('b10.pdf', { chunks: 3, dates: { published_at: { value: '2024-05-01', source: 'given' } } }),
    one('b9.pdf', { active: false, updated_at: '2026-11-02T08:00:00.000Z' }),
    one('notes/a.md', { title: 'Zebra', status: 'failed', dates: { published_at: { value: '2025-01-01', source: 'given' } } }),
  ]
  const ids = (wanted: Partial<Wanted>) => arrange(all, { ...everything, ...wanted }).map(({ document }) => document)

  it('[W1067] is searched by title and id, filtered by state, kind and date, and sorted', () => {
    expect(ids({})).toEqual(['b9.pdf', 'b10.pdf', 'notes/a.md'])
    expect(ids({ text: 'ZEB a.md' })).toEqual(['notes/a.md'])
    expect([ids({ status: 'off' }), ids({ status: 'failed' }), ids({ kind: 'pdf', order: 'chunks', isDown: true })]).toEqual([
      ['b9.pdf'],
      ['notes/a.md'],
      ['b10.pdf', 'b9.pdf'],
    ])
    expect(ids({ since: '2024-06-01' })).toEqual(['notes/a.md'])
    expect(ids({ day: 'updated', since: '2026-11-02' })).toEqual(['b9.pdf'])
    expect(ids({ order: 'updated', isDown: true })[0]).toBe('b9.pdf')
    expect(kindsOf(all)).toEqual(['md', 'pdf'])
    expect([isArranged(everything), isArranged({ ...everything, isDown: true })]).toEqual([false, true])
  })
})

it('[W2041] parts of a file are found by its kind', () => {
  const all = ['big.txt#part-1', 'big.txt#part-12', 'a.txt', 'b#part-1', 'c.md'].map((document) => ({ document, title: '', active: true }))
  const found = arrange(all as unknown as Document[], { ...everything, kind: 'txt' })
  expect(found.map(({ document }) => document)).toEqual(['a.txt', 'big.txt#part-1', 'big.txt#part-12'])
  expect(kindsOf(all as unknown as Document[])).toEqual(['md', 'txt'])
})

describe('texts that are classified', () => {
  it('[W1967] come from a table by row, or from a file by line; the column whose cells are longest holds them', async () => {
    const tickets = 'no;says;by\n1;"It is; ""late"", no";Ana\n\n2;Where is it?;Jon\n'
    const table = await textsIn(new File([`\uFEFF${tickets}`], 'T.CSV'))
    const rows = [
      ['1', 'It is; "late", no', 'Ana'],
      ['2', 'Where is it?', 'Jon'],
    ]
    expect(table).toEqual({ columns: ['no', 'says', 'by'], rows })
    expect(textColumn(table)).toBe(1)
    expect(await textsIn(new File(['One, two.\r\n \nThree.'], 't.txt'))).toEqual({ columns: [''], rows: [['One, two.'], ['Three.']] })
    await expect(textsIn(new File([new Uint8Array([0xe9])], 't.txt'))).rejects.toThrow(TypeError)
    const written = tableText([
      ['a', 'b "c" d'],
      ['d,e', 'f\ng'],
    ])
    expect(written).toBe('a,"b ""c"" d"\r\n"d,e","f\ng"\r\n')
  })

  it('[W1968] a keyword is shown in the text’s own words, and where candidates come from in plain ones', () => {
    const text = 'I was charged twice, please give me my money back'
    const shown = ['charg twice', 'monei', 'pleas', 'my', 'refund', 'm'].map((keyword) => spelledOut(keyword, text))
    expect(shown).toEqual(['charged twice', 'money', 'please', 'my', 'refund', 'm'])
    expect([waysIn('steiner+keywords+embedding'), waysIn('score')]).toEqual(['tree, keywords, meaning', 'score alone'])
  })
})

describe('an answer and its sources', () => {
  const cited = (marker: number, start: number, span: number): Citation => ({
    id: `p${marker}`,
    marker,
    document: `doc ${marker}`,
    chunk: null,
    start,
    end: start + 5,
    quote: `quote at ${start}`,
    span: { start: 0, end: span },
    verified: true,
  })

  it('[W1332] quotes of one piece are told apart, and what has a name keeps it', () => {
    const all = [cited(1, 0, 4), cited(2, 0, 9), cited(1, 40, 9), cited(1, 0, 12), cited(1, 80, 12)]
    expect(namesOf(all)).toEqual(['1', '2', '1b', '1', '1c'])
    expect(namesOf(all.slice(0, 3))).toEqual(['1', '2', '1b'])
  })

  it('[W1960] pieces are numbered from 1 as they are cited, wherever they stand among the evidence', () => {
    expect(namesOf([cited(2, 0, 4)])).toEqual(['1'])
    expect(namesOf([cited(7, 0, 4), cited(2, 0, 9), cited(7, 40, 9)])).toEqual(['1', '2', '1b'])
    expect(withSources('It is old [7].', [cited(7, 0, 9)])).toBe('It is old [1].\n\n[1] doc 7: “quote at 0”')
  })

  it('[W1332] what its sources half say is weakly supported; what they deny is contradicted however much else they say', () => {
    const levels = [['supported', 1] as const, ['unsupported', 0.6] as const, ['unsupported', 0.2] as const, ['contradicted', 0.9] as const]
    expect(levels.map(([outcome, score]) => levelOf({ outcome, score }))).toEqual(['supported', 'weak', 'unsupported', 'contradicted'])
  })

  it('[W1334] it is copied with its sources: names in place of the model’s markers, then each quote once', () => {
    const answer = 'The wall stands [1]. It is old [2][1].'
    const citations = [cited(1, 0, 15), cited(2, 7, 30), cited(1, 40, 30)]
    expect(withSources(answer, citations)).toBe(
      'The wall stands [1]. It is old [2][1b].\n\n[1] doc 1: “quote at 0”\n[2] doc 2: “quote at 7”\n[1b] doc 1: “quote at 40”',
    )
  })

  it('[W1335] names are those that question and text both say, no question word', () => {
    expect(namesIn('Who was Marta Lind of Skarholm?', 'Marta Lind left.')).toEqual(['Marta Lind'])
    expect(namesIn('Skarholm has how many boats?', 'Skarholm has two.')).toEqual(['Skarholm'])
    expect(namesIn('What is it?', 'What it is.')).toEqual([])
  })

  it('[W2023] names are found however the question writes them, and a piece above that leads here is named', () => {
    expect(namesIn('who was marta lind of skarholm?', 'After the storm Marta Lind came to Skarholm.')).toEqual(['Marta Lind', 'Skarholm'])
    expect(namesIn('which boats does he have?', 'Boats are his. Which does he have?')).toEqual([])
    expect(namesIn('أين تقع مدينة القاهرة؟', 'تقع مدينة القاهرة على نهر النيل.')).toEqual(['تقع مدينة القاهرة'])
    const piece = (document: string, title: string, text: string) => ({ document, title, text, kind: 'passage', via: 'keyword' })
    const film = piece('film', 'The Silent Ferry', 'The Silent Ferry was directed by Ida Brenner.')
    const person = piece('ida', 'Ida Brenner (director)', 'She was born in 1931.')
    expect(leadingTo(person, 'Where was the director of The Silent Ferry born?', [film])).toBe(film)
    expect(leadingTo(person, 'When was Ida Brenner born?', [film])).toBeUndefined()
    expect(leadingTo(film, 'Where was its director born?', [piece('film', 'The Silent Ferry', film.text)])).toBeUndefined()
  })

  it('[W1962] the ways that led to a piece are told whole, as a list', () => {
    const ways = ['its words', 'its meaning', 'a path of names']
    expect([0, 1, 2, 3].map((many) => inWords(ways.slice(0, many)))).toEqual([
      '',
      'its words',
      'its words and its meaning',
      'its words, its meaning and a path of names',
    ])
  })

  it('[W1911] a text that begins with a number and a full stop is no list of one item; several are one', () => {
    const kinds = (node: unknown): unknown[] =>
      Array.isArray(node)
        ? node.flatMap(kinds)
        : typeof node === 'object' && node !== null && 'type' in node
          ? [node.type, ...kinds((node as VNode<{ children?: unknown }>).props.children)]
          : typeof node === 'string'
            ? [node.trim()]
            : []
    const shown = (source: string) => kinds(Markdown({ source })).filter((one) => one !== '')
    expect(shown('9. station: Skerry')).toEqual(['div', 'div', '9.', 'span', 'station: Skerry'])
    expect(shown('1. oil\n2. wick')).toEqual(['div', 'ol', 'li', 'span', 'oil', 'li', 'span', 'wick'])
  })

  it('[W1331] a text is Markdown if it is called so, or its headings are written so', () => {
    expect(isMarkdown('notes.MD', 'x')).toBe(true)
    expect(isMarkdown('page', '# Isle\n\nText', [{ start: 0, heading: 'Isle', level: 1 }])).toBe(true)
    expect(isMarkdown('scan', 'Isle\n\nText', [{ start: 0, heading: 'Isle', level: 1, page: 1 }])).toBe(false)
    expect(isMarkdown('mail', '# 1 in the list')).toBe(false)
    expect([isMarkdown('a.html', '| Day | Hours |\n| --- | --- |\n| Saturday | 8 to 12 |'), isMarkdown('a.txt', 'a | b')]).toEqual([
      true,
      false,
    ])
  })

  it('[W1331] of a long text as much is shown as stands around the place, from paragraph to paragraph', () => {
    const text = Array.from({ length: 50 }, (_, at) => `Paragraph ${String(at).padStart(2, '0')} says so.`).join('\n\n')
    const start = text.indexOf('Paragraph 25')
    const { from, until } = windowAround(text, start, start + 12, 60)
    const shown = text.slice(from, until)
    expect(shown.startsWith('Paragraph 22')).toBe(true)
    expect(shown.endsWith('Paragraph 28 says so.')).toBe(true)
    expect(windowAround(text, 0, 5, 60).from).toBe(0)
    expect(windowAround('no breaks at all, however long', 12, 18, 3)).toEqual({ from: 9, until: 24 })
  })
})

it('[T2006] a date says whether a source is in force, or was', () => {
  const dates = { valid_from: { value: '2020', source: 'given' as const }, valid_until: { value: '2022', source: 'given' as const } }
  expect(nameOfDate('valid_until', dates, Date.parse('2022-12-31T12:00:00Z'))).toBe('in force until')
  expect(nameOfDate('valid_until', dates, Date.parse('2023-01-01T12:00:00Z'))).toBe('was in force until')
  expect(nameOfDate('valid_from', dates, Date.parse('2023-01-01T12:00:00Z'))).toBe('in force from')
})
