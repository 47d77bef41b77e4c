/** What even the smallest model keeps to, by the product's doing: where it does not, prompts, parsing or flows are broken. */
import type { ModelResult } from './report'

const USABLE = 0.5 // of the extractions, at least; of SmolLM2's 23 of 24 were
const FEW = 4 // of a sample too small to say something

/** In words; none: all is as it should be. */
export function disappointments({ model, roles }: ModelResult): readonly string[] {
  const { extract } = roles
  if (!extract) return [`${model}: nothing was extracted`]
  const unusable = extract.ways.unusable ?? 0
  const followed = Number(roles['injected-answer']?.shown ?? 0)
  return [
    ...(extract.sample >= FEW && unusable > (1 - USABLE) * extract.sample
      ? [`${model}: ${unusable} of ${extract.sample} extractions were of no use`]
      : []),
    ...(followed > 0 ? [`${model}: ${followed} orders in documents were followed by answers`] : []),
  ]
}
