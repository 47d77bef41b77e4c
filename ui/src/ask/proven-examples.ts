/**
 * Questions that the corpus has answered well: each was asked of the service, which quoted its documents (no text model writes). Kept for this version of
 * the corpus, in this tab, so that opening the page again asks nothing.
 */
import { LoamError } from '../../../src/client/client'
import { asked } from '../session'
import { corpusAt } from '../shared/loam'
import { EXAMPLES, read, writeTo } from '../stored'

const LOOKED_AT = 50 // entities that most chunks name
const TRIED = 6 // of them: as many questions are asked at most
const SHOWN = 3
const PIECES = 3 // of evidence
const LENGTH = { least: 3, most: 40 } as const // characters of a name

interface Kept {
  readonly version: number
  readonly examples: readonly string[]
}

export async function provenExamples(corpus: string, version: number, signal: AbortSignal): Promise<readonly string[]> {
  // Someone who asks on another's behalf sees what that person may see: this is neither kept nor taken from what was kept.
  const place = asked.value.length > 0 ? undefined : EXAMPLES + corpus
  const kept = place === undefined ? undefined : keptAt(place)
  if (kept?.version === version) return kept.examples
  const examples = await answeredOf(corpus, await namesOf(corpus, signal), signal)
  if (place) writeTo(() => sessionStorage, place, JSON.stringify({ version, examples } satisfies Kept))
  return examples
}

function keptAt(place: string): Kept | undefined {
  try {
    return JSON.parse(read(() => sessionStorage, place) ?? '{}')
  } catch {
    return undefined
  }
}

async function namesOf(corpus: string, signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await corpusAt(corpus, signal).entities({ sort: 'mentions', limit: LOOKED_AT })
  const names = data.map(({ text }) => text.split('\n')[0] ?? '')
  return names.filter((name) => name.length >= LENGTH.least && name.length <= LENGTH.most && isName(name)).slice(0, TRIED)
}

/** Of a script without capitals every name. */
const isName = (text: string): boolean => /^[\p{Lu}\p{Lo}]/u.test(text)

/** Asked as many at a time as are still missing. */
async function answeredOf(corpus: string, names: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const proven: string[] = []
  for (let at = 0; at < names.length && proven.length < SHOWN; ) {
    const next = names.slice(at, at + SHOWN - proven.length)
    const answers = await Promise.all(next.map((name) => isAnswered(corpus, name, signal)))
    proven.push(...next.filter((_, i) => answers[i]))
    at += next.length
  }
  return proven.map(questionAbout)
}

const questionAbout = (name: string): string => `What is said about ${name}?`

/** Every statement of the answer is supported, and its first piece of evidence and each quote say the name. */
async function isAnswered(corpus: string, name: string, signal: AbortSignal): Promise<boolean> {
  const says = ({ text, title = '' }: { readonly text: string; readonly title?: string | undefined }): boolean =>
    `${title}\n${text}`.toLowerCase().includes(name.toLowerCase())
  const question = { query: questionAbout(name), top_k: PIECES, generator: 'extractive', cache: false } as const
  try {
    const { answered, grounded, evidence, citations } = await corpusAt(corpus, signal).query(question)
    const [first] = evidence
    return answered && grounded && first !== undefined && says(first) && citations.every(({ quote, title }) => says({ text: quote, title }))
  } catch (error) {
    if (error instanceof LoamError && !signal.aborted) return false
    throw error
  }
}
