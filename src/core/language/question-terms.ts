/** A question's terms in a corpus. Its language is only asked for if texts are stemmed in several ways. */
import type { GraphReader } from '../graph/reader'
import { type AskedTerms, askedTerms } from '../text/asked-terms'
import { questionLanguage } from './detect'

export function questionTerms(graph: Pick<GraphReader, 'stemmings'>, text: string): AskedTerms {
  const stemmings = graph.stemmings()
  const spoken = stemmings.filter((one) => one !== undefined)
  return askedTerms(text, stemmings, spoken.length > 0 ? questionLanguage(text, spoken) : undefined)
}

/**
 * In how many passages each term by which answers are read occurs: for each of the first `max`, the most of any of its forms. Small words are left
 * out.
 */
export function frequenciesOf(
  graph: Pick<GraphReader, 'frequency'>,
  { terms, forms }: AskedTerms,
  max: number,
): readonly (readonly [term: string, passages: number])[] {
  const asked = terms.slice(0, max)
  const found = graph.frequency(asked)
  if (!forms) return asked.map((term, i) => [term, found[i] ?? 0] as const)
  const counts = new Map(asked.map((term, i) => [term, found[i] ?? 0]))
  return [...forms].flatMap(([term, here]) => {
    const known = here.flatMap((one) => counts.get(one) ?? [])
    return known.length > 0 ? [[term, Math.max(...known)] as const] : []
  })
}
