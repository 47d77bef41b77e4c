/** A judge that reads what an older version of a document said in other words. */
import { describe, expect, it } from 'vitest'
import type { QueryResult } from '../../../src/contract/questions'
import type { RemovedStatement } from '../../../src/core/reader/removed-statements'
import { query, queryStream, search } from '../../../src/flows/ask'
import type { AskDeps } from '../../../src/flows/ask-types'
import { querySeveral } from '../../../src/flows/several/ask'
import { clock, configFor, evidence, fakeCorpus, fakeIndex, fakeModels, fault, type Script } from './fakes'

const AT = '2026-11-26T09:00:00.000Z'
const ASKED = { query: 'What does the ferry cost?', strategy: 'hybrid', minConfidence: 0 } as const
const pairs = (...listed: (readonly [a: number, b: number, verdict: string])[]) =>
  JSON.stringify({ pairs: listed.map(([a, b, verdict]) => ({ a, b, verdict })) })

const lakes = [
  'Aral',
  'Bala',
  'Como',
  'Drau',
  'Erie',
  'Faak',
  'Gard',
  'Hald',
  'Ijen',
  'Jari',
  'Kivu',
  'Loch',
  'Mead',
  'Nyos',
  'Orta',
  'Peip',
]
/** Verdicts are remembered by their statements: each test has statements of its own. */
function fresh() {
  const lake = lakes.pop() ?? 'Zug'
  const now = `Crossing lake ${lake} is now sixty thalers a head.`
  const gone = `The ferry over lake ${lake} costs 45 thalers.`
  return { now, gone, text: `${now} Dogs pay no thalers there.` }
}

interface Asking {
  readonly text: string
  readonly removed: readonly RemovedStatement[]
  readonly title?: string
  readonly more?: readonly (readonly [document: string, text: string])[]
}

function asking(judge: Script | null, { text, removed, title = 'Prices', more = [] }: Asking) {
  const judged = fakeModels(judge ?? {})
  const all = [['prices', text] as const, ...more]
  const found = all.map(([document, own], i) => evidence(`p_${i}`, document, own, 0, { title: document === 'prices' ? title : document }))
  const documents = Object.fromEntries(all)
  const plain = { kind: 'evidence', evidence: found, version: 7, passages: found.length } as const
  const frequencies = ['ferri', 'cost'].map((term) => [term, found.filter((one) => one.text.includes(term.slice(0, 4))).length] as const)
  const corpus = fakeCorpus({ documents, evidence: found, retrieve: [{ ...plain, frequencies, removed }] })
  const deps: AskDeps = {
    corpus,
    models: fakeModels(),
    judge: judge ? judged : null,
    index: fakeIndex(),
    config: configFor({}),
    now: clock(),
    later: () => undefined,
  }
  return { ...deps, judged, requests: corpus.asked }
}

const gone = (quote: string, document = 'prices'): RemovedStatement => ({ document, quote, replaced_at: AT })

async function answered(deps: AskDeps): Promise<QueryResult> {
  const outcome = await query(deps, ASKED)
  if (outcome.kind !== 'answered') throw new Error(outcome.code)
  return outcome.result
}

const told = ({ superseded }: QueryResult) =>
  superseded?.map(({ current, earlier, replaced }) => [current.quote, earlier?.map(({ quote }) => quote), replaced.length])

describe('a statement that a new version words otherwise', () => {
  it('[T2131] is told as what the current one replaced, where it stands, in one call that is remembered, streamed too', async () => {
    const one = fresh()
    const removed = [{ ...gone(one.gone), dates: { published_at: { value: '2024', source: 'given' as const } } }]
    const deps = asking({ write: [pairs([1, 3, 'differ'])] }, { text: one.text, removed })
    const result = await answered(deps)
    expect(result.superseded).toMatchObject([
      {
        current: { document: 'prices', quote: one.now, marker: 1 },
        earlier: [{ start: 0, end: one.now.length, quote: one.gone, replaced_at: AT, dates: { published_at: { value: '2024' } } }],
        replaced: [],
      },
    ])
    expect([deps.judged.written.length, result.degraded, deps.requests[0]?.judged]).toEqual([1, [], true])
    expect(deps.judged.written[0]?.[1]?.content).toContain(`3. (the earlier version of document 1) ${one.gone}`)
    const again = asking({ write: [fault('down')] }, { text: one.text, removed })
    const streamed: unknown[] = []
    for await (const event of queryStream(again, ASKED)) if (event.event === 'done') streamed.push(told(event.data as QueryResult))
    expect([streamed, again.judged.written.length]).toEqual([[[[one.now, [one.gone], 0]]], 0])
  })

  it('[T2131] is told together with what rules found, the latest first', async () => {
    const one = fresh()
    const deps = asking({ write: [pairs([1, 3, 'differ'])] }, { text: one.text, removed: [gone(one.gone)] })
    const known = { start: 0, end: one.now.length, quote: one.now.replace('sixty', 'fifty'), replaced_at: '2026-11-27T09:00:00.000Z' }
    const [found] = (await search(deps, ASKED).then((outcome) => (outcome.kind === 'answered' ? outcome.result.evidence : []))) ?? []
    if (!found) throw new Error('nothing was found')
    const retrieve: typeof deps.corpus.retrieve = async (request) => {
      const result = await deps.corpus.retrieve(request)
      return result.kind === 'evidence' ? { ...result, evidence: [{ ...found, earlier: [known] }] } : result
    }
    expect(told(await answered({ ...deps, corpus: { ...deps.corpus, retrieve } }))).toEqual([[one.now, [known.quote, one.gone], 0]])
  })

  it.each([
    ['that of another document', [[1, 3, 'differ']]],
    ['numbers that are not there', [[1, 9, 'differ']]],
    ['a number below 1', [[0, 3, 'differ']]],
    ['two current statements of one document', [[1, 2, 'differ']]],
    ['two of the earlier version', [[3, 4, 'differ']]],
    ['one that says the same', [[1, 3, 'same']]],
    [
      'one that says the same as another sentence',
      [
        [1, 3, 'differ'],
        [2, 3, 'same'],
      ],
    ],
  ] as const)('[T2132] a judge that pairs %s tells nothing', async (name, listed) => {
    const one = fresh()
    const isOther = name === 'that of another document'
    const deps = asking(
      { write: [pairs(...listed)] },
      {
        text: isOther ? one.now : one.text,
        removed: [gone(one.gone), gone(one.gone.replace('45', '44'))].slice(0, name.startsWith('two of the') ? 2 : 1),
        more: isOther ? [['rules', 'The ferry costs nothing for children.']] : [],
      },
    )
    expect(told(await answered(deps))).toBeUndefined()
    expect(deps.judged.written.length).toBe(1)
  })

  it.each([
    ['is down', fault('timeout')],
    ['babbles', 'It was cheaper once.'],
    ['is cut', { cut: '{"pairs": [{"a": 1, "b"' }],
  ])('[T2132] a judge that %s tells nothing, and the answer says that it was not heard', async (_, reply) => {
    const one = fresh()
    const result = await answered(asking({ write: [reply] }, { text: one.text, removed: [gone(one.gone)] }))
    expect([told(result), result.degraded.includes('judge')]).toEqual([undefined, true])
  })

  it('[T2133] without a judge nothing is asked for, and nothing of it is in an answer, a search or a stream', async () => {
    const one = fresh()
    const deps = asking(null, { text: one.text, removed: [gone(one.gone)] })
    const replies: unknown[] = [await answered(deps), await search(deps, ASKED)]
    for await (const event of queryStream(deps, ASKED)) replies.push(event)
    expect(JSON.stringify(replies)).not.toContain(one.gone)
    expect(deps.requests.map(({ judged }) => judged)).toEqual([undefined, undefined, undefined])
  })

  it('[T2133] it is in no search, no evidence and no stream but as what the judge told apart, and a search does not ask for it', async () => {
    const one = fresh()
    const deps = asking({ write: [pairs()] }, { text: one.text, removed: [gone(one.gone)] })
    const replies: unknown[] = [await search(deps, ASKED), await answered(deps)]
    for await (const event of queryStream(deps, ASKED)) replies.push(event)
    expect(JSON.stringify(replies)).not.toContain(one.gone)
    expect(deps.requests.map(({ judged }) => judged)).toEqual([undefined, true, true])
  })

  it('[T2131] reaches the judge inside the fence, at most 8 with 8 sentences beside those that speak of what is asked', async () => {
    const one = fresh()
    const many = Array.from({ length: 30 }, (_, i) => `Crossing on day ${i} is ${i} thalers a head.`).join(' ')
    const removed = Array.from({ length: 20 }, (_, i) => gone(one.gone.replace('45', `${100 + i}`)))
    const deps = asking({ write: [pairs()] }, { text: many, removed })
    await answered(deps)
    const [system, user] = deps.judged.written[0] ?? []
    expect(user?.content.match(/^\d+\. \(the earlier version of document 1\)/gm)?.length).toBe(8)
    expect(user?.content.match(/^\d+\. \(document 1/gm)?.length).toBe(8)
    expect(system?.content).toContain('never an instruction')
    const [, mark = ''] = /<data (\w+)>/.exec(user?.content ?? '') ?? []
    expect(user?.content.trimEnd().endsWith(`</data ${mark}>`)).toBe(true)
  })
})

it('[T2135] documents of one id in several corpora are two: they may contradict each other, and an earlier version belongs to its own', async () => {
  const one = fresh()
  const there = 'The ferry costs 70 thalers in summer.'
  const judge = fakeModels({ write: [pairs([1, 2, 'differ'], [1, 3, 'differ'], [2, 3, 'differ'])] })
  const own = (text: string, removed: readonly RemovedStatement[]) => {
    const { corpus, ...deps } = asking(null, { text, removed })
    return { corpus, ...deps, judge }
  }
  const [mill, oven] = [own(`The ferry costs 60 thalers on lake ${one.now.slice(14, 18)}.`, [gone(one.gone)]), own(there, [])]
  const outcome = await querySeveral({
    members: [
      { name: 'mill', deps: mill },
      { name: 'oven', deps: oven },
    ],
    request: ASKED,
    codeOf: () => 'unavailable',
  })
  if (outcome.kind !== 'answered') throw new Error(outcome.code)
  const { superseded = [], conflicts = [] } = outcome.result
  expect(conflicts.map(({ statements }) => statements.map(({ corpus, document }) => [corpus, document]))).toEqual([
    [
      ['oven', 'prices'],
      ['mill', 'prices'],
    ],
  ])
  expect(judge.written[0]?.[1]?.content).toContain('3. (the earlier version of document 2)')
  expect(superseded.map(({ current, earlier }) => [current.corpus, current.document, earlier?.map(({ quote }) => quote)])).toEqual([
    ['mill', 'prices', [one.gone]],
  ])
})

it('[T2134] what a judge may read and reply before the answer is set aside with the look-up, also where no model writes', async () => {
  const one = fresh()
  const deps = asking({ write: [pairs([1, 3, 'differ'])] }, { text: one.text, removed: [gone(one.gone)] })
  const capped = fakeCorpus({ left: { tokens: 200_000, usd: null } })
  let reserved = 0
  const corpus: typeof deps.corpus = {
    ...deps.corpus,
    async retrieve(request) {
      const result = await deps.corpus.retrieve(request)
      const [isGranted] = request.hold ? await capped.reserve([request.hold]) : []
      return result.kind === 'evidence' ? { ...result, held: isGranted ? 'granted' : 'unasked' } : result
    },
    async reserve(holds) {
      reserved++
      return capped.reserve(holds)
    },
  }
  const result = await answered({ ...deps, corpus, config: configFor({ left: { tokens: 200_000, usd: null } }) })
  expect([told(result), reserved, deps.judged.written.length]).toEqual([[[one.now, [one.gone], 0]], 1, 1])
  expect(deps.requests[0]?.hold?.max.judge).toMatchObject({ out: 820 })
})
