/** Questions to begin with: of the sample its own, of any other corpus about the entities its documents name most. */

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
const SHOWN = 3

interface Props {
  readonly corpus: string
  readonly version: number
  readonly write: (question: string) => void
}

/** Nothing where there are no entities, or the list cannot be read: a question can be asked all the same. */
export function Examples({ corpus, version, write }: Props) {
  const { value } = useLoad((signal) => examplesOf(corpus, signal), [corpus, version])
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
  const named = data.filter(({ text }) => text.length > 2 && text.length < 40)
  return named
    .toSorted((a, b) => chunks(b) - chunks(a))
    .slice(0, SHOWN)
    .map(({ text }) => `What is said about ${text}?`)
}
