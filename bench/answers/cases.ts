/** Questions put to corpora that answer them, or that don't: with their article taken out, or their passages, or the sentence that answers; with a name of another article in place of theirs; our own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { idf } from '../../src/core/channels/lexical'
import { readQuestion } from '../../src/core/reader/question'
import type { QuestionTerms } from '../../src/core/reader/question-terms'
import { auto } from '../../src/core/strategies/auto/auto'
import { sentences } from '../../src/core/text/sentences'
import { distinct, terms } from '../../src/core/text/terms'
import { type Corpus, corpus, type Passage } from '../quality/corpora'
import { type Index, indexed } from '../quality/memory'

const ASKING = { topK: 10, budget: 4000 } as const // as questions are, unless they say otherwise
const BUILDERS = auto.builders.map((one) => ({ ...one, unitVectors: false }))
const SMALL = [
  { size: 3, corpora: 80 },
  { size: 12, corpora: 20 },
] as const
const OTHERS = 97 // every so many-th question of other articles is put to a small corpus
export const WORLDS = ['harbour', 'handbook', 'workshop', 'reserve'] as const
/** From these nothing is learned, and nothing was chosen by them. */
export const JUDGES = ['museum', 'manual', 'languages', 'cooperative'] as const

/** What was found for a question. */
export interface Found {
  readonly corpus: string
  /** What the corpus lacks; '' where it answers. */
  readonly lacks: '' | 'article' | 'sentence' | 'sibling' | 'name' | 'passages' | 'fact' | 'subject'
  readonly topic: string
  readonly q: string
  readonly evidence: readonly Passage[]
  readonly asked: QuestionTerms
  /** Passages of its corpus. */
  readonly count: number
}

export interface Answered {
  readonly corpus: string
  readonly question: OwnQuestion
  readonly evidence: readonly Passage[]
  readonly asked: QuestionTerms
  /** Passages of its corpus. */
  readonly count: number
}

export interface OwnQuestion {
  readonly q: string
  readonly type: 'answerable' | 'away' | 'missing'
  readonly gold?: readonly string[]
  readonly kind?: string
  /** Any of these answers; or all of these together do. */
  readonly answers?: readonly string[]
  readonly all?: readonly string[]
}

export interface World {
  readonly name: string
  readonly passages: readonly Passage[]
  readonly questions: readonly OwnQuestion[]
}

export interface Put {
  readonly found: Found[]
  readonly answered: Answered[]
}

/** Those of our own worlds alone. */
export async function ownCases(put: Put = { found: [], answered: [] }): Promise<Put> {
  for (const name of [...WORLDS, ...JUDGES]) await ours(put, worldOf(name))
  return put
}

export async function allCases(folder: string): Promise<Put> {
  const put: Put = { found: [], answered: [] }
  const xquad = corpus(folder, 'xquad', true)
  await articles(put, xquad)
  await smallCorpora(put, xquad)
  for (const name of [
    'hotpotqa_train100',
    'dev_2wiki',
    'dev_hotpot',
    'musique_train100',
    'web/nature',
    'web/mathematics',
    'web/philosophy',
    'lihua',
  ]) {
    await withoutGold(put, corpus(folder, name.startsWith('web/') ? join(folder, `${name}.json`) : name, true), name)
  }
  return ownCases(put)
}

export function worldOf(name: string): World {
  return JSON.parse(readFileSync(join('bench', 'answers', `${name}.json`), 'utf8')) as World
}

export function askedTerms(index: Index, question: string): QuestionTerms {
  const list = distinct(terms(question))
  const passages = index.graph.count('passage')
  const frequencies = index.graph.frequency(list)
  return new Map(list.map((term, i) => [term, { weight: idf(passages, frequencies[i] ?? 0), isKnown: (frequencies[i] ?? 0) > 0 }]))
}

/** What the corpus knows of a question's terms, and how large it is. */
function knownOf(index: Index, question: string): Pick<Answered, 'asked' | 'count'> {
  return { asked: askedTerms(index, question), count: index.graph.count('passage') }
}

interface Told extends Pick<Found, 'corpus' | 'lacks' | 'topic'> {
  readonly without?: (text: string) => string
}

async function ask(
  { found }: Put,
  index: Index,
  question: string,
  { without = (text) => text, ...told }: Told,
): Promise<readonly Passage[]> {
  const { evidence } = await index.ask(auto, question, ASKING)
  const left = evidence
    .filter((one) => one.document !== null)
    .map(({ id, title, text }) => ({ id, title: title ?? '', text: without(text) }))
    .filter((one) => one.text !== '')
  found.push({ ...told, q: question, evidence: left, ...knownOf(index, question) })
  return left
}

const bare = (name: string, passages: readonly Passage[]): Corpus => ({ name, passages, questions: [] })

/** Each half of the articles is taken out once: its questions then have no answer here, whatever name of an article that is here they are given. */
async function articles(put: Put, set: Corpus): Promise<void> {
  const titles = [...new Set(set.passages.map((one) => one.title))]
  const titleOf = new Map(set.passages.map((one) => [one.id, one.title]))
  const namesIn = (text: string) => readQuestion(text).names.filter((one) => one.type === 'name')
  const namesOf = Map.groupBy(
    set.questions.flatMap(({ text, gold }) => namesIn(text).map(({ surface }) => ({ surface, title: titleOf.get(gold[0] ?? '') }))),
    (one) => one.title,
  )
  for (const half of [0, 1]) {
    const here = set.passages.filter((one) => titles.indexOf(one.title) % 2 === half)
    const ids = new Set(here.map((one) => one.id))
    const index = await indexed(bare(set.name, here), 'static', BUILDERS)
    for (const [n, { text, gold, answers }] of set.questions.entries()) {
      const topic = titleOf.get(gold[0] ?? '') ?? ''
      const isHere = ids.has(gold[0] ?? '')
      const told = { corpus: 'xquad', topic }
      const evidence = await ask(put, index, text, { ...told, lacks: isHere ? '' : 'article' })
      if (isHere) {
        put.answered.push({ corpus: 'xquad', question: { q: text, type: 'answerable', answers }, evidence, ...knownOf(index, text) })
        await ask(put, index, text, { ...told, lacks: 'sentence', without: (body) => lessAnswers(body, answers) })
        continue
      }
      const [name, second] = namesIn(text)
      const others = namesOf.get(titles[(titles.indexOf(topic) + 1 + 2 * (n % 12)) % titles.length]) ?? []
      const other = others[n % Math.max(1, others.length)]
      if (!name || second || !other) continue
      await ask(put, index, text.slice(0, name.start) + other.surface + text.slice(name.end), { ...told, lacks: 'name' })
    }
  }
}

function lessAnswers(text: string, answers: readonly string[]): string {
  const slices = sentences(text).map(({ start, end }) => text.slice(start, end))
  return slices.filter((one) => !answers.some((answer) => one.toLowerCase().includes(answer.toLowerCase()))).join(' ')
}

/** A few paragraphs of as many articles; asked what they answer, what other articles do, and what another paragraph of theirs does. */
async function smallCorpora(put: Put, set: Corpus): Promise<void> {
  const titles = [...new Set(set.passages.map((one) => one.title))]
  const titleOf = new Map(set.passages.map((one) => [one.id, one.title]))
  for (const { size, corpora } of SMALL) {
    for (let k = 0; k < corpora; k++) {
      const own = Array.from({ length: size }, (_, j) => {
        const all = set.passages.filter((one) => one.title === titles[(k * size + j * (1 + (k % 7))) % titles.length])
        return all[k % all.length] as Passage
      })
      const here = [...new Set(own)]
      const ids = new Set(here.map((one) => one.id))
      const topics = new Set(here.map((one) => one.title))
      const index = await indexed(bare('small', here), 'static', BUILDERS)
      const topicOf = ({ gold }: { gold: readonly string[] }): string => titleOf.get(gold[0] ?? '') ?? ''
      const told = (one: { gold: readonly string[] }, lacks: Found['lacks']): Told => ({
        corpus: `xquad of ${size}`,
        topic: topicOf(one),
        lacks,
      })
      const isHere = (one: { gold: readonly string[] }): boolean => ids.has(one.gold[0] ?? '')
      for (const one of set.questions.filter(isHere).slice(0, 24)) await ask(put, index, one.text, told(one, ''))
      const elsewhere = set.questions.filter((one) => !topics.has(topicOf(one))).filter((_, i) => i % OTHERS === k % OTHERS)
      for (const one of elsewhere) await ask(put, index, one.text, told(one, 'article'))
      const siblings = set.questions.filter((one) => !isHere(one) && topics.has(topicOf(one))).slice(0, 12)
      if (size === 3) for (const one of siblings) await ask(put, index, one.text, told(one, 'sibling'))
    }
  }
}

/** Each half of the questions loses all its gold passages once. */
async function withoutGold(put: Put, set: Corpus, name: string): Promise<void> {
  for (const half of [0, 1]) {
    const out = new Set(set.questions.filter((_, i) => i % 2 === half).flatMap((one) => one.gold))
    const here = set.passages.filter((one) => !out.has(one.id))
    const index = await indexed(bare(name, here), 'static', BUILDERS)
    for (const { text, gold } of set.questions) {
      const gone = gold.filter((id) => out.has(id)).length
      if (gone > 0 && gone < gold.length) continue
      await ask(put, index, text, { corpus: name, topic: name, lacks: gone === 0 ? '' : 'passages' })
    }
  }
}

/** All of our own questions, and once more each that is answered, without the documents that do. */
async function ours(put: Put, { name, passages, questions }: World): Promise<void> {
  const index = await indexed(bare(name, passages), 'static', BUILDERS)
  const told = { corpus: name, topic: name }
  const lacks = { answerable: '', away: 'subject', missing: 'fact' } as const
  for (const question of questions) {
    const evidence = await ask(put, index, question.q, { ...told, lacks: lacks[question.type] })
    put.answered.push({ corpus: name, question, evidence, ...knownOf(index, question.q) })
    if (question.type !== 'answerable') continue
    const gold = new Set(question.gold ?? [])
    const less = await indexed(
      bare(
        name,
        passages.filter((one) => !gold.has(one.id)),
      ),
      'static',
      BUILDERS,
    )
    await ask(put, less, question.q, { ...told, lacks: 'article' })
  }
}
