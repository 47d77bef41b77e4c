/** What was asked of each corpus in this tab, and the answers as they arrive. Kept while the tab is open, so that one can look elsewhere and come back. */
import { effect, signal } from '@preact/signals'
import type { AnswerEvent, Citation, Evidence, SearchResult, SeveralSearchResult, Usage } from '../../../src/client/client'
import { asked, key } from '../session'
import { corpusAt, loam } from '../shared/loam'
import { bodyOf, type Choices } from './choices'

interface Posed {
  readonly query: string
  readonly how: Choices
  /** An answer of now, not one that was given before. */
  readonly fresh?: boolean
}

/** Which corpus it is from, where several were asked. */
interface From {
  readonly corpus?: string
}

export type Found = Omit<SearchResult, 'version' | 'evidence'> & {
  readonly evidence: readonly (Evidence & From)[]
  readonly skipped?: SeveralSearchResult['skipped']
}

export interface Turn {
  readonly id: number
  readonly question: string
  readonly how: Choices
  readonly text: string
  readonly citations: readonly (Citation & From)[]
  readonly found?: Found
  readonly done?: Omit<Extract<AnswerEvent, { readonly event: 'done' }>['data'], 'version'>
  readonly usage?: Usage
  readonly fault?: unknown
  readonly ended: boolean
}

export const turns = signal<Readonly<Record<string, readonly Turn[]>>>({})

// The next one at this tab may have another key, or ask for somebody else.
effect(() => {
  if (key.value === null || asked.value) turns.value = {}
})

const HISTORY = 6 // earlier turns that are sent along
let last = 0

export async function ask(corpus: string, { query, how, fresh = false }: Posed, signal_: AbortSignal): Promise<void> {
  const history = (turns.value[corpus] ?? [])
    .filter((turn) => turn.done)
    .slice(-HISTORY)
    .flatMap((turn) => [
      { role: 'user' as const, content: turn.question },
      { role: 'assistant' as const, content: turn.text },
    ])
  last += 1
  let turn: Turn = { id: last, question: query, how, text: '', citations: [], ended: false }
  const put = (next: Partial<Turn>) => {
    turn = { ...turn, ...next }
    const others = (turns.value[corpus] ?? []).filter(({ id }) => id !== turn.id)
    turns.value = { ...turns.value, [corpus]: [...others, turn] }
  }
  const question = { ...bodyOf(how), query, history }
  const events = how.corpora.length
    ? loam({ signal: signal_ }).ask({ ...question, corpora: [corpus, ...how.corpora] })
    : corpusAt(corpus, signal_).ask({ ...question, ...(fresh ? { cache: false } : {}) })
  put({})
  try {
    for await (const { event, data } of events) {
      if (event === 'retrieval') put({ found: data })
      else if (event === 'delta') put({ text: turn.text + data.text })
      else if (event === 'citation') put({ citations: [...turn.citations, data] })
      else if (event === 'usage') put({ usage: data })
      else put({ done: data, text: data.answer, citations: data.citations })
    }
    put({ ended: true })
  } catch (fault) {
    put({ ended: true, ...(signal_.aborted ? {} : { fault }) })
  }
}

export function clear(corpus: string): void {
  turns.value = { ...turns.value, [corpus]: [] }
}
