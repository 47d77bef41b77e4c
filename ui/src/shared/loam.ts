/** The client of this origin, with the key that is signed in. */
import { type CorpusClient, Loam, LoamError } from '../../../src/client/client'
import { begun } from '../early/replies'
import { asked, key, signOut } from '../session'
import { noteAway } from './reach'

/** What is still to be said when the page is left goes on without it. */
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
  /** A key to try, instead of the one signed in with. */
  readonly bearer?: string
}

export function loam({ signal, bearer: tried }: Given = {}): Loam {
  const bearer = tried ?? key.value
  return new Loam({
    url: location.origin,
    ...(bearer ? { key: bearer } : {}),
    ...(tried === undefined && asked.value.length > 0 ? { as: asked.value } : {}),
    headers: { 'loam-page': '1' }, // what the audit log calls a request of this page
    retries: 0,
    signal,
    fetch: async (request) => {
      const reply = begun(request, bearer ?? '') ?? fetch(request, { keepalive: isLeaving })
      const response = await reply.catch((fault: unknown) => {
        if (!isLeaving && fault instanceof TypeError) noteAway() // not where the page itself gave the call up
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
