/**
 * Answers without a text model: how often the reader's sentences hold the answer, how often the words in front are it, and how many questions are
 * refused that the documents do, don't, or don't quite answer.
 *   npm run bench answers -- --data <folder> [--fit] [--wrong] [--own] [--keep <folder>]
 * `--fit` fits the weights of src/core/reader/fitted.ts anew and prints them; the table is then by functions that have not seen what they are judged on.
 * `--keep` keeps what was found for the questions in a folder, and takes it from there the next time: enough if only the reader has changed.
 * `--own` puts the questions of our own worlds alone, in a minute and without other data.
 * `--wrong` lists our own questions whose answer does not hold what it should, and of the worlds that were mended by (no judge's) those that are answered although their fact is missing.
 */
import { parseArgs } from 'node:util'
import { mayBeEnglish } from '../../src/core/language/detect'
import { ANSWERED, confidence, LIMIT, oddsOf } from '../../src/core/reader/confidence'
import { byLetters, byMeaning } from '../../src/core/reader/fitted'
import { read } from '../../src/core/reader/read'
import { theStaticEncoder } from '../lib/encoders'
import { dataFolder } from '../quality/corpora'
import { type Answered, allCases, JUDGES, ownCases, WORLDS } from './cases'
import { fitted, type Kind } from './fit'
import { type Case, casesOf, kept } from './found'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    fit: { type: 'boolean', default: false },
    wrong: { type: 'boolean', default: false },
    own: { type: 'boolean', default: false },
    letters: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
})
const { found, answered } = values.own ? await ownCases() : await kept(values.keep, () => allCases(dataFolder(values.data)))
const cases = casesOf(found)
const POINTS = [0.1, 0.15, 0.2, 0.24, 0.25, 0.28, 0.31, 0.35, 0.5] // limits of confidence
const percent = (part: number, whole: number): string => (whole > 0 ? ((100 * part) / whole).toFixed(1) : '–')
const table = (...rows: readonly (readonly (string | number)[])[]): void => {
  const [head = []] = rows
  for (const row of [head, head.map(() => '---'), ...rows.slice(1)]) console.log(`| ${row.join(' | ')} |`)
  console.log('')
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

interface Read {
  readonly corpus: string
  readonly one: Answered
  readonly isRefused: boolean
  readonly first: boolean
  readonly both: boolean
  readonly text: string
  readonly span: string | undefined
  readonly isSpanRight: boolean
}

function readOne(one: Answered): Read {
  const { corpus, question, evidence, asked, count } = one
  const meaning = mayBeEnglish(question.q) ? theStaticEncoder() : undefined
  const reading = read(question.q, evidence, asked, values.letters ? undefined : meaning)
  const slice = (at: { passage: number; start: number; end: number }): string => evidence[at.passage]?.text.slice(at.start, at.end) ?? ''
  const texts = reading.sentences.map(slice)
  const { answers = [], all } = question
  const has = (text: string): boolean => {
    const said = plain(text)
    return all ? all.every((part) => said.includes(plain(part))) : answers.some((answer) => said.includes(plain(answer)))
  }
  const span = reading.span && slice(reading.span)
  const isPart = answers.some((answer) => span !== undefined && plain(span).length > 2 && plain(answer).includes(plain(span)))
  return {
    corpus,
    one,
    isRefused: confidence(question.q, evidence, asked, { meaning, count }) < ANSWERED,
    first: has(texts[0] ?? ''),
    both: has(texts.join(' ')),
    text: texts.join(' '),
    span,
    isSpanRight: span !== undefined && (has(span) || isPart),
  }
}

const all = answered.map(readOne)
const answerable = all.filter(({ one }) => one.question.type === 'answerable')
table(
  ['set', 'questions', 'the first sentence holds the answer', 'one or two do', 'characters', 'words in front', 'of them right'],
  ...[...(values.own ? [] : ['xquad']), ...WORLDS, ...JUDGES].map((name) => {
    const own = answerable.filter((one) => one.corpus === name)
    const spans = own.filter((one) => one.span !== undefined)
    const count = (test: (one: Read) => boolean): string => percent(own.filter(test).length, own.length)
    const length = own.reduce((sum, one) => sum + one.text.length, 0) / own.length
    const right = percent(spans.filter((one) => one.isSpanRight).length, spans.length)
    return [
      name,
      own.length,
      count((one) => one.first),
      count((one) => one.both),
      length.toFixed(0),
      percent(spans.length, own.length),
      right,
    ]
  }),
)

/** By the weights the reader has: what a user gets. */
table(
  [
    'our own',
    'answerable',
    'right',
    'refused',
    'answered wrongly',
    'about something else',
    'answered all the same',
    'fact missing',
    'refused',
  ],
  ...[...WORLDS, ...JUDGES].map((name) => {
    const of = (type: string): Read[] => all.filter((one) => one.corpus === name && one.one.question.type === type)
    const [can, away, missing] = [of('answerable'), of('away'), of('missing')]
    const count = (list: readonly Read[], test: (one: Read) => boolean): number => list.filter(test).length
    return [
      name,
      can.length,
      count(can, (one) => !one.isRefused && one.both),
      count(can, (one) => one.isRefused),
      count(can, (one) => !one.isRefused && !one.both),
      away.length,
      count(away, (one) => !one.isRefused),
      missing.length,
      count(missing, (one) => one.isRefused),
    ]
  }),
)
if (values.wrong) {
  for (const one of all.filter(
    ({ one: { corpus: name, question }, isRefused }) => question.type === 'missing' && !isRefused && WORLDS.some((world) => world === name),
  ))
    console.log(one.corpus, 'missing', one.one.question.q, '→', one.text)
  for (const one of answerable.filter((each) => each.corpus !== 'xquad' && (each.isRefused || !each.both)))
    console.log(one.corpus, one.isRefused, one.one.question.q, '→', one.text)
}

const KINDS: readonly Kind[] = ['meaning', 'letters']
const weightsOf = { meaning: byMeaning, letters: byLetters } as const
const judged = Object.fromEntries(
  KINDS.map((kind) => [kind, values.fit ? fitted(cases, kind) : { all: weightsOf[kind], odds: cases.map((one) => given(one, kind)) }]),
)
const groups = [...new Set(cases.map((one) => `${one.corpus}\t${one.lacks}`))]
const refused = (group: string, kind: Kind, limit: number): string => {
  const own = cases.flatMap((one, i) => (`${one.corpus}\t${one.lacks}` === group ? [judged[kind]?.odds[i] ?? 0] : []))
  return percent(own.filter((odds) => odds < limit).length, own.length)
}
table(
  ['corpus', 'lacks', 'questions', 'refused, with the encoder', 'by letters'],
  ...groups.map((group) => {
    const [corpus = '', lacks = ''] = group.split('\t')
    const count = cases.filter((one) => one.corpus === corpus && one.lacks === lacks).length
    return [corpus, lacks || '–', count, ...KINDS.map((kind) => refused(group, kind, LIMIT))]
  }),
)
/** What each limit refuses of what is answered, and of what has lost its document or its fact. */
table(
  ['corpus', 'lacks', ...POINTS.map(String)],
  ...groups.map((group) => {
    const [corpus = '', lacks = ''] = group.split('\t')
    return [corpus, lacks || '–', ...POINTS.map((share) => refused(group, 'meaning', Math.log(share / (1 - share))))]
  }),
)
if (values.fit) for (const kind of KINDS) console.log(kind, judged[kind]?.all)

function given(one: Case, kind: Kind): number {
  const signs = one[kind]
  if (one.certain !== undefined) return one.certain
  return signs ? oddsOf(signs, weightsOf[kind]) : Number.NEGATIVE_INFINITY
}
