/** Answers: questions of our own that documents answer, and half as many again that they don't; found by `auto`, written and checked as a question's are. */

import type { QueryResult } from '../../src/contract/questions'
import type { Evidence } from '../../src/core/evidence'
import { auto } from '../../src/core/strategies/auto/auto'
import { query } from '../../src/flows/ask'
import type { Models } from '../../src/ports/models'
import { config, fakeCorpus, fakeIndex } from '../../test/core/flows/fakes'
import { type OwnQuestion, WORLDS, worldOf } from '../answers/cases'
import { theStaticEncoder } from '../lib/encoders'
import { indexed } from '../quality/memory'
import { accuracy, exactMatch, f1 } from '../quality/metrics/answers'
import { outcomesOf, share } from './outcomes'
import { sampled, shuffled, type Writer } from './sampling'

const FORM = 'only the words that answer, no sentence' // as exact match is computed on
const TOP = 5 // passages: ten take two cores twelve seconds to read
const BUDGET = 4000 // tokens, as questions have
const BUILDERS = auto.builders.map((one) => ({ ...one, unitVectors: false }))

export interface Posed {
  readonly question: OwnQuestion
  readonly evidence: readonly Evidence[]
  readonly documents: { readonly [id: string]: string }
}

interface Answered {
  readonly posed: Posed
  readonly result: QueryResult
  readonly isUsable: boolean
}

/** Two answerable, two whose fact is missing, one about something else; and so on. */
export async function questions(count: number): Promise<readonly Posed[]> {
  const posed: Posed[] = []
  for (const name of WORLDS) {
    const world = worldOf(name)
    const index = await indexed({ name, passages: world.passages, questions: [] }, 'static', BUILDERS)
    const documents = Object.fromEntries(world.passages.map(({ id, text }) => [id, text]))
    for (const question of world.questions) {
      if (question.type === 'answerable' && !question.answers?.length) continue // several facts together have no exact match
      const { evidence } = await index.ask(auto, question.q, { topK: TOP, budget: BUDGET })
      posed.push({ question, evidence, documents })
    }
  }
  const all = shuffled(posed, 'models')
  const of = (type: OwnQuestion['type']): Posed[] => all.filter(({ question }) => question.type === type)
  const [can, missing, away] = [of('answerable'), of('missing'), of('away')]
  return Array.from({ length: Math.ceil(count / 5) }, (_, i) => [
    ...can.slice(2 * i, 2 * i + 2),
    ...missing.slice(2 * i, 2 * i + 2),
    ...away.slice(i, i + 1),
  ])
    .flat()
    .slice(0, count)
}

export async function ask(models: Models, { question, evidence, documents }: Posed, form = FORM): Promise<QueryResult> {
  const outcome = await query(
    {
      corpus: fakeCorpus({ documents, evidence }),
      config,
      models: { ...models, encoder: async () => theStaticEncoder() },
      index: fakeIndex(),
      now: () => performance.now(),
      later: () => undefined,
    },
    { query: question.q, topK: TOP, ...(form === '' ? {} : { responseType: form }), options: { rerank: false } },
  )
  if (outcome.kind === 'refused') throw new Error(`refused: ${outcome.code}`)
  return outcome.result
}

export async function answers(posed: readonly Posed[], writer: Writer) {
  const done = await sampled(posed, writer, async (models, one): Promise<Answered> => {
    const result = await ask(models, one)
    return { posed: one, result, isUsable: result.generator === 'model' }
  })
  const of = (isAnswerable: boolean) => done.results.filter(({ posed: { question } }) => (question.type === 'answerable') === isAnswerable)
  const [can, cannot] = [of(true), of(false)]
  const said = ({ result }: Answered): string => result.answer.replace(/\s*\[[\d,\s]+\]/g, '')
  const golds = ({ posed }: Answered): readonly string[] => posed.question.answers ?? []
  const isRight = (one: Answered): boolean => accuracy(said(one), golds(one)) === 1
  const mean = (metric: (text: string, golds: readonly string[]) => number): number =>
    Number((can.reduce((sum, one) => sum + metric(said(one), golds(one)), 0) / Math.max(1, can.length)).toFixed(3))
  const grounded = done.results.filter(({ result }) => result.grounded)
  const stated = done.results.filter(({ result }) => !result.insufficient)
  return {
    ...outcomesOf(done),
    answerable: {
      sample: can.length,
      exact: mean(exactMatch),
      f1: mean(f1),
      right: share(can, isRight),
      refused: share(can, ({ result }) => result.insufficient),
    },
    unanswerable: { sample: cannot.length, refused: share(cannot, ({ result }) => result.insufficient) },
    citations: {
      perAnswer: Number((stated.reduce((sum, { result }) => sum + result.citations.length, 0) / Math.max(1, stated.length)).toFixed(2)),
      without: share(stated, ({ result }) => result.citations.length === 0),
      dropped: done.results.reduce((sum, { result }) => sum + result.dropped, 0),
    },
    grounded: {
      answers: grounded.length,
      right: share(grounded, isRight),
      missedRight: share(can.filter(isRight), ({ result }) => !result.grounded),
    },
  }
}
