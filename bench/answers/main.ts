/**
 * Answers without a text model: how often the reader's sentences hold the answer, how often the words in front are it, and how many questions are
 * refused that the documents do, don't, or don't quite answer.
 *   npm run bench answers -- --data <folder> [--fit]
 * `--fit` fits the weights of src/core/reader/confidence.ts anew, by topics left out in turn, and prints them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { idf } from '../../src/core/channels/lexical'
import type { Evidence } from '../../src/core/evidence'
import { ANSWERED, type AskedTerms, fitted, type Signs, signsOf } from '../../src/core/reader/confidence'
import { read } from '../../src/core/reader/read'
import { keyword } from '../../src/core/strategies/baselines/keyword'
import { sentences } from '../../src/core/text/sentences'
import { distinct, terms } from '../../src/core/text/terms'
import { type Corpus, corpus, dataFolder, type Passage } from '../quality/corpora'
import { type Index, indexed } from '../quality/memory'
import { fitWeights } from './fit'

const { values } = parseArgs({ options: { data: { type: 'string' }, fit: { type: 'boolean', default: false } } })
const folder = dataFolder(values.data)
const PASSAGES = 6 // read for an answer

/** One question put to a corpus that answers it, or that doesn't. */
interface Case {
  readonly set: string
  readonly topic: string
  readonly isAnswerable: boolean
  readonly signs: Signs
}

const cases: Case[] = []

async function put(
  set: string,
  index: Index,
  question: string,
  rest: { topic: string; isAnswerable: boolean; without?: (text: string) => string },
) {
  const { evidence } = await index.ask(keyword, question, { topK: PASSAGES })
  const without = rest.without ?? ((text: string): string => text)
  const left = evidence.map((one) => ({ ...one, text: without(one.text) })).filter((one) => one.text !== '')
  cases.push({ set, topic: rest.topic, isAnswerable: rest.isAnswerable, signs: signsOf(question, left, askedTerms(index, question)) })
  return left
}

function askedTerms(index: Index, question: string): AskedTerms {
  const list = distinct(terms(question))
  const passages = index.graph.count('passage')
  const frequencies = index.graph.frequency(list)
  return new Map(list.map((term, i) => [term, { weight: idf(passages, frequencies[i] ?? 0), isKnown: (frequencies[i] ?? 0) > 0 }]))
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

interface Score {
  asked: number
  first: number
  both: number
  characters: number
  spans: number
  right: number
}

function score(tally: Score, question: string, evidence: readonly Evidence[], answers: readonly string[], asked: AskedTerms): void {
  const reading = read(question, evidence, new Map([...asked].map(([term, { weight }]) => [term, weight])))
  const slice = (one: { passage: number; start: number; end: number }): string =>
    evidence[one.passage]?.text.slice(one.start, one.end) ?? ''
  const texts = reading.sentences.map(slice)
  const has = (text: string): boolean => answers.some((answer) => plain(text).includes(plain(answer)))
  tally.asked += 1
  if (has(texts[0] ?? '')) tally.first += 1
  if (has(texts.join(' '))) tally.both += 1
  tally.characters += texts.join(' ').length
  if (!reading.span) return
  const span = slice(reading.span)
  tally.spans += 1
  if (has(span) || answers.some((answer) => plain(span).length > 2 && plain(answer).includes(plain(span)))) tally.right += 1
}

const nobody = (): Score => ({ asked: 0, first: 0, both: 0, characters: 0, spans: 0, right: 0 })
const scores: { [set: string]: Score } = {}
const tallyOf = (set: string): Score => {
  scores[set] ??= nobody()
  return scores[set]
}

/** Each half of the articles is taken out once: its questions then have no answer here. */
async function withoutArticles(set: Corpus): Promise<void> {
  const titles = [...new Set(set.passages.map((one) => one.title))]
  const titleOf = new Map(set.passages.map((one) => [one.id, one.title]))
  for (const half of [0, 1]) {
    const passages = set.passages.filter((one) => titles.indexOf(one.title) % 2 === half)
    const index = await indexed(bare(set.name, passages), 'none', [])
    const here = new Set(passages.map((one) => one.id))
    for (const { text, gold, answers } of set.questions) {
      const [passage = ''] = gold
      const topic = titleOf.get(passage) ?? ''
      const isAnswerable = here.has(passage)
      const evidence = await put(`${set.name}: ${isAnswerable ? 'answerable' : 'its article is gone'}`, index, text, {
        topic,
        isAnswerable,
      })
      if (!isAnswerable) continue
      score(tallyOf(set.name), text, evidence, answers, askedTerms(index, text))
      const without = (body: string): string => lessAnswers(body, answers)
      await put(`${set.name}: its sentence is gone`, index, text, { topic, isAnswerable: false, without })
    }
  }
}

function lessAnswers(text: string, answers: readonly string[]): string {
  const slices = sentences(text).map(({ start, end }) => text.slice(start, end))
  return slices.filter((one) => !answers.some((answer) => one.toLowerCase().includes(answer.toLowerCase()))).join(' ')
}

/** Each half of the questions loses all its gold passages once. */
async function withoutGold(set: Corpus): Promise<void> {
  for (const half of [0, 1]) {
    const out = new Set(set.questions.filter((_, i) => i % 2 === half).flatMap((one) => one.gold))
    const passages = set.passages.filter((one) => !out.has(one.id))
    const index = await indexed(bare(set.name, passages), 'none', [])
    for (const { text, gold } of set.questions) {
      const gone = gold.filter((id) => out.has(id)).length
      if (gone > 0 && gone < gold.length) continue
      const isAnswerable = gone === 0
      await put(`${set.name}: ${isAnswerable ? 'answerable' : 'its passages are gone'}`, index, text, { topic: set.name, isAnswerable })
    }
  }
}

interface Own {
  readonly name: string
  readonly passages: readonly Passage[]
  readonly questions: readonly { q: string; answers: readonly string[]; type: 'answerable' | 'away' | 'missing' }[]
}

async function ours(name: string): Promise<void> {
  const own = JSON.parse(readFileSync(join('bench', 'answers', `${name}.json`), 'utf8')) as Own
  const index = await indexed(bare(name, own.passages), 'none', [])
  const words = { answerable: 'answerable', away: 'about something else', missing: 'right names, missing fact' } as const
  for (const { q, answers, type } of own.questions) {
    const evidence = await put(`${name}: ${words[type]}`, index, q, { topic: name, isAnswerable: type === 'answerable' })
    if (type === 'answerable') score(tallyOf(name), q, evidence, answers, askedTerms(index, q))
  }
}

function bare(name: string, passages: readonly Passage[]): Corpus {
  return { name, passages, questions: [] }
}

await withoutArticles(corpus(folder, 'xquad', true))
for (const name of ['hotpotqa_train100', 'dev_2wiki']) await withoutGold(corpus(folder, name, true))
await ours('harbour')

console.log('\n| set | questions | first sentence holds the answer | one or two do | characters | words in front | of them right |')
console.log('|---|---|---|---|---|---|---|')
const percent = (part: number, whole: number): string => (whole > 0 ? ((100 * part) / whole).toFixed(1) : '–')
for (const [set, { asked, first, both, characters, spans, right }] of Object.entries(scores)) {
  const cells = [
    asked,
    percent(first, asked),
    percent(both, asked),
    (characters / asked).toFixed(0),
    percent(spans, asked),
    percent(right, spans),
  ]
  console.log(`| ${set} | ${cells.join(' | ')} |`)
}

const fitting = (one: Case): boolean => !one.set.startsWith('harbour')
const judged = values.fit ? fitWeights(cases.filter(fitting), cases) : { weights: fitted, confidences: cases.map((one) => of(one.signs)) }
console.log(`\n| questions | n | refused, % |\n|---|---|---|`)
for (const set of new Set(cases.map((one) => one.set))) {
  const own = judged.confidences.filter((_, i) => cases[i]?.set === set)
  console.log(`| ${set} | ${own.length} | ${percent(own.filter((one) => one < ANSWERED).length, own.length)} |`)
}
if (values.fit) console.log('\nweights', judged.weights)

function of(signs: Signs): number {
  const odds = Object.entries(signs).reduce((sum, [sign, value]) => sum + fitted[sign as keyof Signs] * value, fitted.bias)
  return 1 / (1 + Math.exp(-odds))
}
