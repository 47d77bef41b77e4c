/** The client that programs use (src/client), as the command line calls it: it repeats for longer. */
import { type CorpusClient, Loam, type Options, persistent, walked } from '../src/client/client'
import { Failure } from './failure'
import { type Given, type Settings, settingsOf } from './settings'

const PAGE = 100 // items of a page, where all are wanted
const MAX_NAMES = 20 // corpora named in a message

export interface Connection extends Settings {
  readonly loam: Loam
}

/** `as`: every request asks for these principals, which commas part already. */
export function connect(given: Given & { readonly values: { readonly as?: string | undefined } }): Connection {
  const settings = settingsOf(given)
  const { as } = given.values
  return { ...settings, loam: createLoam({ url: settings.url, key: settings.key || undefined, ...(as === undefined ? {} : { as: [as] }) }) }
}

export const createLoam = ({ key, ...options }: Omit<Options, 'key'> & { readonly key?: string | undefined }): Loam =>
  new Loam({ ...options, ...(key === undefined ? {} : { key }), repeats: persistent })

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
      : 'there is no corpus yet; `loam init <corpus>` makes one',
    { exit: 2 },
  )
}

type PageOf<T> = Parameters<typeof walked<T>>[0]

/** All of a list, page by page. */
export const list = <T>(page: PageOf<T>): AsyncGenerator<T, void, void> => walked(page, PAGE)

export async function all<T>(page: PageOf<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of list(page)) found.push(one)
  return found
}
