/**
 * Questions to begin with: the sample has its own; for any other corpus they are about the most frequent names in its documents, and only
 * shown if documents say something about them.
 */

import type { Node } from '../../../src/client/client'
import { dataOf } from '../graph/node-data'
import { SAMPLE } from '../library/sample'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'

const OF_SAMPLE = [
  'What was said about the militia?',
  'Which loans were taken up abroad?',
  'What happened with the insurgents in Pennsylvania?',
]
const LOOKED_AT = 200 // entities; they come by name
const TRIED = 6 // of the most frequently named ones
const SHOWN = 3
const PIECES = 3 // of evidence; all of them must contain the name

interface Props {
  readonly corpus: string
  readonly version: number
  /** If questions are logged, no suggestion is tried: nobody has asked it. */
  readonly isLogged: boolean
  readonly write: (question: string) => void
}

/** Nothing if there are no entities, or the list cannot be read: a question can be asked anyway. */
export function Examples({ corpus, version, isLogged, write }: Props) {
  const { value } = useLoad((signal) => (isLogged ? Promise.resolve([]) : examplesOf(corpus, signal)), [corpus, version, isLogged])
  if (!value || value.length === 0) return null
  return (
    <>
      <p>For example:</p>
      <p class="row wrap">
        {value.map((example) => (
          <button key={example} type="button" class="small" onClick={() => write(example)}>
            {example}
          </button>
        ))}
      </p>
    </>
  )
}

async function examplesOf(corpus: string, signal: AbortSignal): Promise<readonly string[]> {
  if (corpus === SAMPLE) return OF_SAMPLE
  const { data } = await corpusAt(corpus, signal).entities({ limit: LOOKED_AT })
  const chunks = (node: Node): number => Number(dataOf(node).chunks) || 0
  const named = data.filter(({ text }) => text.length > 2 && text.length < 40 && /^\p{Lu}/u.test(text))
  const tried = named.toSorted((a, b) => chunks(b) - chunks(a)).slice(0, TRIED)
  const found = await Promise.all(tried.map(({ text }) => isSaid(corpus, text, signal)))
  return tried
    .filter((_, at) => found[at])
    .slice(0, SHOWN)
    .map(({ text }) => questionAbout(text))
}

const questionAbout = (name: string): string => `What is said about ${name}?`

/** Whether each piece of the best evidence contains the name. A search asks no text model. */
async function isSaid(corpus: string, name: string, signal: AbortSignal): Promise<boolean> {
  const { evidence } = await corpusAt(corpus, signal).search({ query: questionAbout(name), top_k: PIECES })
  return evidence.length > 0 && evidence.every(({ text }) => text.toLowerCase().includes(name.toLowerCase()))
}
