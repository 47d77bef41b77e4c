/**
 * What was asked of each corpus in this tab, and the answers as they arrive. Kept while the tab is open (sessionStorage), so that the visitor can look
 * elsewhere, or reload the page, and come back; until signing out.
 */
import { computed, effect, signal } from '@preact/signals'
import type {
  AnswerEvent,
  Citation,
  Conversation,
  Evidence,
  SearchResult,
  SeveralAnswerEvent,
  SeveralSearchResult,
  Usage,
} from '../../../src/client/client'
import { asked, keepTurns, keptTurns, key } from '../session'
import { corpusAt, loam } from '../shared/loam'
import { bodyOf, type Choices } from './choices'

const KEPT = 20 // turns of a corpus that survive a reload

interface Posed {
  readonly query: string
  readonly how: Choices
  /** An answer for today's date, not one that was given before. */
  readonly fresh?: boolean
}

/** Which corpus it is from, if several were asked. */
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
  /** For a kept turn: why it is not shown. */
  readonly withheld?: 'forgotten' | 'access'
}

export const turns = signal<Readonly<Record<string, readonly Turn[]>>>(keptTurns())

/** For each corpus: whether questions are kept on the server, and in which conversation; null: the next one begins it. */
export const keeping = signal<Readonly<Record<string, { readonly id: string | null }>>>({})

export function keep(corpus: string, place: { readonly id: string | null } | undefined): void {
  const { [corpus]: _, ...others } = keeping.value
  keeping.value = place ? { ...others, [corpus]: place } : others
}

// The next visitor in this tab may have another key, or ask on behalf of somebody else.
const whoAsks = computed(() => (key.value === null ? '' : JSON.stringify([key.value, asked.value])))
let before = whoAsks.value || undefined // after a reload it is still the same asker
effect(() => {
  if (whoAsks.value === before) return
  before = whoAsks.value
  turns.value = {}
  keeping.value = {}
})

// An old error is no longer true, and an answer that was in progress has ended.
effect(() => {
  const ended = Object.entries(turns.value).map(([corpus, said]) => [corpus, said.filter((turn) => turn.ended && !turn.fault).slice(-KEPT)])
  keepTurns(Object.fromEntries(ended))
})

const HISTORY = 6 // earlier turns that are sent along
let last = Math.max(0, ...Object.values(turns.value).flatMap((said) => said.map(({ id }) => id)))

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
  const place = how.corpora.length > 0 ? undefined : keeping.value[corpus]
  const question = { ...bodyOf(how), query, ...(place ? {} : { history }) }
  const events = how.corpora.length
    ? loam({ signal: signal_ }).ask({ ...question, corpora: [corpus, ...how.corpora] })
    : corpusAt(corpus, signal_).ask({ ...question, ...(fresh ? { cache: false } : {}), ...storedIn(place) })
  put({})
  try {
    for await (const told of events) {
      put(heard(turn, told))
      if (told.event === 'done' && place && 'conversation' in told.data && told.data.conversation)
        keep(corpus, { id: told.data.conversation.id })
    }
    put({ ended: true })
  } catch (fault) {
    put({ ended: true, ...(signal_.aborted ? {} : { fault }) })
  }
}

type Told = AnswerEvent | SeveralAnswerEvent

/** Adds an event of the stream to a turn. */
function heard({ text, citations }: Turn, { event, data }: Told): Partial<Turn> {
  if (event === 'retrieval') return { found: data }
  if (event === 'delta') return { text: text + data.text }
  if (event === 'citation') return { citations: [...citations, data] }
  if (event === 'usage') return { usage: data }
  return { done: data, text: data.answer, citations: data.citations }
}

const storedIn = (place: { readonly id: string | null } | undefined) =>
  !place ? {} : place.id === null ? { store: true } : { conversation: place.id }

/** Anything kept on the server stays there. */
export function clear(corpus: string): void {
  turns.value = { ...turns.value, [corpus]: [] }
  if (keeping.value[corpus]) keep(corpus, { id: null })
}

/** Replaces what was said here by a kept conversation; the next question continues it. */
export function openKept(corpus: string, { id, data }: Conversation, how: Choices): void {
  turns.value = {
    ...turns.value,
    [corpus]: data.map(({ question, answer, citations, withheld }): Turn => {
      last += 1
      const told = { question: question ?? 'Forgotten', text: answer ?? '', citations, ...(withheld ? { withheld } : {}) }
      return { id: last, how, ended: true, ...told }
    }),
  }
  keep(corpus, { id })
}
