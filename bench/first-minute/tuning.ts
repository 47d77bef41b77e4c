/** `auto` through the service on a development set, from the moment the last job has succeeded: recall@5 at once, after 10 s, after 200 s and once it has measured, beside `hybrid`. */
import type { CorpusClient } from '../../src/client/client'
import { load } from '../lib/processor'
import { corpus as setOf } from '../quality/corpora'
import { ingest, start } from '../system/loam'

const AT = [0, 10, 200] // seconds
const PATIENCE = 900 // seconds until it must have measured
const QUESTIONS = 100
const BATCH = 500 // documents
const ENOUGH = { top_k: 30, token_budget: 16000 } // as many passages as five documents may need

type Asked = readonly { readonly text: string; readonly gold: readonly string[] }[]

export async function askWhileTuning(folder: string, name: string, titles: boolean): Promise<void> {
  const set = setOf(folder, name, titles)
  const every = Math.max(1, Math.floor(set.questions.length / QUESTIONS))
  const questions = set.questions.filter((_, i) => i % every === 0)
  const loam = await start('real')
  try {
    const corpus = loam.client.corpus('set')
    await corpus.create()
    for (let at = 0; at < set.passages.length; at += BATCH) {
      await ingest(
        corpus,
        set.passages.slice(at, at + BATCH).map(({ id, title, text }) => ({ id, title, text })),
      )
    }
    const since = performance.now()
    const seconds = (): number => (performance.now() - since) / 1000
    let tuned: number | undefined
    const look = async (): Promise<boolean> => {
      const { tuning } = await corpus.info()
      if (!tuning) tuned ??= seconds()
      return tuning
    }
    console.log(`${name}${titles ? '' : ', no titles'}: ${set.passages.length} documents, ${questions.length} questions; ${load()}`)
    for (const at of [...AT, Number.POSITIVE_INFINITY]) {
      // The last time: once it has measured.
      while (seconds() < Math.min(at, PATIENCE) && (at < PATIENCE || tuned === undefined)) {
        await look()
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
      const [from, tuning] = [seconds(), await look()]
      const auto = await recall(corpus, questions, 'auto')
      const until = seconds()
      const hybrid = await recall(corpus, questions, 'hybrid')
      const weights = await weightsIn(corpus, questions)
      console.log(
        `| ${at < PATIENCE ? `${at} s` : 'measured'} | asked from ${from.toFixed(0)} to ${until.toFixed(0)} s | tuning ${tuning} | auto ${auto.toFixed(1)} | hybrid ${hybrid.toFixed(1)} | weights ${JSON.stringify(weights)} |`,
      )
    }
    console.log(`tuned after ${tuned?.toFixed(0) ?? `more than ${PATIENCE}`} s; ${load()}`)
  } finally {
    await loam.stop()
  }
}

async function recall(corpus: CorpusClient, questions: Asked, strategy: 'auto' | 'hybrid'): Promise<number> {
  let sum = 0
  for (const { text, gold } of questions) {
    const { evidence } = await corpus.search({ query: text, strategy, ...ENOUGH })
    const found = [...new Set(evidence.flatMap((one) => (one.document === null ? [] : [one.document])))].slice(0, 5)
    sum += gold.filter((one) => found.includes(one)).length / gold.length
  }
  return (100 * sum) / questions.length
}

async function weightsIn(corpus: CorpusClient, [first]: Asked): Promise<unknown> {
  const { trace } = await corpus.search({ query: first?.text ?? '', strategy: 'auto', trace: true })
  return (trace as { readonly weights?: unknown } | undefined)?.weights ?? 'a guess'
}
