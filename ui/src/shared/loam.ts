/** The client for this origin, with the signed-in key. */
import { type CorpusClient, Loam, LoamError } from '../../../src/client/client'
import { begun } from '../early/replies'
import { asked, key, signOut } from '../session'
import { noteAway } from './reach'

/** Requests still due when the page is left are sent without it. */
let isLeaving = false
// Captured: before what is sent on the way out asks (removal.ts).
addEventListener(
  'pagehide',
  () => {
    isLeaving = true
  },
  { capture: true },
)
addEventListener('pageshow', () => {
  isLeaving = false
})

interface Given {
  /** Ends its calls. */
  readonly signal?: AbortSignal | undefined
  /** A key to try, instead of the signed-in one. */
  readonly bearer?: string
}

export function loam({ signal, bearer: tried }: Given = {}): Loam {
  const bearer = tried ?? key.value
  return new Loam({
    url: location.origin,
    ...(bearer ? { key: bearer } : {}),
    ...(tried === undefined && asked.value.length > 0 ? { as: asked.value } : {}),
    headers: { 'loam-page': '1' }, // how the audit log recognises requests from this page
    retries: 0,
    signal,
    fetch: async (request) => {
      const reply = begun(request, bearer ?? '') ?? fetch(request, { keepalive: isLeaving })
      const response = await reply.catch((fault: unknown) => {
        if (!isLeaving && fault instanceof TypeError) noteAway() // not if the page itself aborted the call
        throw fault
      })
      if (response.status === 401 && bearer && tried === undefined) signOut('Your key is no longer accepted.')
      return response
    },
  })
}

export const corpusAt = (name: string, signal?: AbortSignal): CorpusClient => loam({ signal }).corpus(name)

/** Has the service answered with one of these statuses? */
export const isStatus = (fault: unknown, ...statuses: readonly number[]): boolean =>
  fault instanceof LoamError && fault.status !== undefined && statuses.includes(fault.status)

/** The path of something in a corpus, for commands to copy. */
export const pathIn = (corpus: string, ...pieces: readonly string[]): string =>
  `/v1/corpora/${[corpus, ...pieces].map(encodeURIComponent).join('/')}`
