/** The client that programs use (src/client), as the command line calls it: it repeats for longer. */
import {
  type AnswerEvent,
  type CorpusClient,
  Loam,
  type Options,
  persistent,
  type QueryResult,
  type Question,
  type Search,
  type SearchResult,
  type SeveralAnswerEvent,
  type SeveralQuestion,
  type SeveralSearchResult,
  walked,
} from '../src/client/client'
import { Failure, misuse } from './failure'
import { type Given, requireSendable, type Settings, settingsOf } from './settings'
import { tellingOfSilence } from './silence'

const PAGE = 100 // items per page, when all are wanted
const MAX_NAMES = 20 // corpora named in a message

export interface Connection extends Settings {
  readonly loam: Loam
}

/** `as`: every request asks for these principals, separated by commas. */
export function connect(given: Given & { readonly values: { readonly as?: string | undefined } }): Connection {
  const settings = settingsOf(given)
  const { as } = given.values
  if (as !== undefined) requireSendable(as, '--as')
  return { ...settings, loam: createLoam({ url: settings.url, key: settings.key || undefined, ...(as === undefined ? {} : { as: [as] }) }) }
}

export const createLoam = ({ key, ...options }: Omit<Options, 'key'> & { readonly key?: string | undefined }): Loam =>
  new Loam({ fetch: tellingOfSilence(), ...options, ...(key === undefined ? {} : { key }), repeats: persistent })

/** The corpus named, or the only one there is. */
export async function findCorpus({ loam, corpus }: Connection): Promise<CorpusClient> {
  if (corpus) return loam.corpus(corpus)
  const [first, ...others] = await all((paging) => loam.corpora(paging))
  if (first && others.length === 0) return loam.corpus(first.corpus)
  throw new Failure(
    first
      ? `which corpus? --corpus ${[first, ...others]
          .slice(0, MAX_NAMES)
          .map((one) => one.corpus)
          .join(' | ')}`
      : 'there is no corpus yet; `loam init <corpus>` creates one',
    { exit: 2 },
  )
}

/** What to ask: one corpus, or several, separated by commas. */
export async function findAsked(connection: Connection): Promise<Askable> {
  const names = (connection.corpus ?? '').split(',').map((name) => name.trim())
  if (names.length < 2) return findCorpus(connection)
  const { loam } = connection
  const several = ({ min_version, store, conversation, ...asked }: Question): SeveralQuestion => {
    if (min_version !== undefined) throw misuse('--min-version works with one corpus')
    if (store || conversation) throw misuse('--keep and --conversation work with one corpus')
    return { ...asked, corpora: names }
  }
  return {
    search: async (search) => loam.search(several(search)),
    query: async (question) => loam.query(several(question)),
    ask: (question) => loam.ask(several(question)),
  }
}

/** As both answer. */
interface Askable {
  search(search: Search): Promise<Omit<SearchResult, 'version'> & { readonly skipped?: Skipped }>
  query(question: Question): Promise<Omit<QueryResult, 'version'> & { readonly skipped?: Skipped }>
  ask(question: Question): AsyncIterable<AnswerEvent | SeveralAnswerEvent>
}

type Skipped = SeveralSearchResult['skipped']

type PageOf<T> = Parameters<typeof walked<T>>[0]

/** All of a list, page by page. */
export const list = <T>(page: PageOf<T>): AsyncGenerator<T, void, void> => walked(page, PAGE)

export async function all<T>(page: PageOf<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list(page)) found.push(one)
  return found
}
