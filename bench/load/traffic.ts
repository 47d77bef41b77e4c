/** Writers and askers: each makes one call after another, as clients do that wait for an answer, and waits as long as a refusal asks for. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CorpusClient, Loam } from '../../src/client/client'
import { type Random, random } from '../../src/core/random'
import type { Corpus } from '../scale/corpus'
import { quantile } from '../system/loam'
import { type Ledger, outcomeOf } from './ledger'

const TEXT = 1800 // characters of a document
const MAX_WAIT = 5 // s a client waits at most, however long it is told to
const OF_A_BATCH = 20 // documents
const REPLACED = 0.15 // share of writes that give a document another text,
const DELETED = 0.1 // delete one,
const BATCHES = 0.1 // or bring a batch; all others bring one document
const WAYS = ['auto', 'auto', 'hybrid', 'keyword'] as const // half of all questions leave the choice to Loam

export class Tally {
  readonly #ms = new Map<string, number[]>()
  readonly outcomes = new Map<string, number>()

  /** Times one call. What it throws is counted, and told as undefined. */
  async call<T>(kind: string, work: () => Promise<T>): Promise<{ readonly result?: T; readonly answered: boolean; readonly wait: number }> {
    const since = performance.now()
    try {
      const result = await work()
      this.#count(kind, 'ok')
      const times = this.#ms.get(kind) ?? []
      times.push(performance.now() - since)
      this.#ms.set(kind, times)
      return { result, answered: true, wait: 0 }
    } catch (error) {
      const { outcome, wait = 0, answered } = outcomeOf(error)
      this.#count(kind, outcome)
      return { answered, wait: Math.min(MAX_WAIT, wait) }
    }
  }

  times(kind: string): { readonly n: number; readonly p50: number; readonly p95: number; readonly p99: number } {
    const ms = this.#ms.get(kind) ?? []
    return { n: ms.length, p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), p99: quantile(ms, 0.99) }
  }

  get kinds(): string[] {
    return [...this.#ms.keys()].sort()
  }

  #count(kind: string, outcome: string): void {
    const key = `${kind}\t${outcome}`
    this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1)
  }
}

export interface Storm {
  readonly loam: Loam
  readonly corpora: readonly string[]
  readonly pages: Corpus
  readonly ledger: Ledger
  readonly tally: Tally
  /** When to stop, by performance.now(). */
  readonly until: number
}

/** Writes to the corpora that are its own (every `of`-th), so that two writers never write one document. */
export async function write(storm: Storm, own: number, of: number): Promise<void> {
  const corpora = storm.corpora.filter((_, at) => at % of === own)
  const dice = random(`writer ${own}`)
  for (let n = 0; performance.now() < storm.until; n++) {
    const name = corpora[dice.below(corpora.length)] ?? ''
    const wait = await writeOnce(storm, name, dice, `w${own}n${n}`)
    if (wait > 0) await sleep(wait * 1000)
  }
}

/** Seconds to wait before the next. */
async function writeOnce({ loam, ledger, tally, pages }: Storm, name: string, dice: Random, mark: string): Promise<number> {
  const corpus = loam.corpus(name)
  const known = ledger.documents(name)
  const lot = dice.next()
  const chosen = known[dice.below(Math.max(1, known.length))] ?? mark
  const batch = Array.from({ length: OF_A_BATCH }, (_, at) => `${mark}b${at}`)
  const [kind, ids, work]: readonly [string, readonly string[], () => Promise<unknown>] =
    chosen !== mark && lot < DELETED
      ? ['delete', [chosen], () => corpus.remove(chosen)]
      : lot > 1 - BATCHES
        ? ['batch', batch, () => corpus.batch({ upserts: batch.map((id) => ({ id, ...documentOf(pages, dice, id) })) })]
        : [
            'put',
            [lot < DELETED + REPLACED ? chosen : mark],
            () => corpus.put(lot < DELETED + REPLACED ? chosen : mark, documentOf(pages, dice, mark)),
          ]
  const { result, answered, wait } = await tally.call(kind, work)
  for (const id of ids) {
    if (!answered) ledger.unanswered(name, id)
    else if (result && kind === 'delete') ledger.deleted(name, id)
    else if (result) ledger.wrote(name, id, kind === 'batch' ? id : mark)
  }
  return wait
}

function documentOf(pages: Corpus, dice: Random, mark: string) {
  const { title, text } = pages.page(dice.below(5000))
  return { title, text: `${mark} is the mark of this text. ${text.slice(0, TEXT)}`, metadata: { mark } }
}

/** Asks any of the corpora; `pause` ms between an answer and the next question. */
export async function ask(storm: Omit<Storm, 'ledger'>, own: number, pause: number, kind = ''): Promise<void> {
  const dice = random(`asker ${own} ${kind}`)
  while (performance.now() < storm.until) {
    const corpus: CorpusClient = storm.loam.corpus(storm.corpora[dice.below(storm.corpora.length)] ?? '')
    const strategy = WAYS[dice.below(WAYS.length)] ?? 'auto'
    const question = storm.pages.question(dice.below(1e6), 5000)
    const { wait } = await storm.tally.call(`${kind}query by ${strategy}`, () => corpus.query({ query: question, strategy }))
    await sleep(wait * 1000 + pause)
  }
}
