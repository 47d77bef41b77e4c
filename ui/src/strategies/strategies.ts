/** The strategies as the page names and explains them, from the list in the contract. */
import listed from '../../../src/contract/strategies.json'

export interface Listed {
  readonly name: string
  readonly summary: string
  readonly enabled: string
  readonly answers: boolean
  readonly joint: boolean
  readonly offers: readonly string[]
}

const all: readonly Listed[] = listed

const names = (some: readonly Listed[]): readonly string[] => some.map((one) => one.name)

export const summaries: Readonly<Record<string, string>> = Object.fromEntries(all.map(({ name, summary }) => [name, summary]))

/** Strategies that a corpus may switch on. */
export const optional = optionalOf(all)

/** Of these, what a corpus in partitions may switch on. */
export const optionalInPartitions = optionalOf(all.filter(({ joint }) => joint))

/** Those it gets if none are chosen. */
export const usual: readonly string[] = names(all.filter(({ enabled }) => enabled === 'default'))

export function optionalOf(strategies: readonly Listed[]): readonly string[] {
  return names(strategies.filter(({ enabled }) => enabled !== 'always'))
}

/** Those one can ask with: the ones that every corpus has, by name, then the ones switched on. */
export function askable(enabled: readonly string[], strategies: readonly Listed[] = all): readonly string[] {
  const answering = strategies.filter(({ answers }) => answers)
  const always = names(answering.filter((one) => one.enabled === 'always'))
  return [...[...always].sort(), ...enabled.filter((name) => names(answering).includes(name))]
}

/** The strategy that gives a corpus this part of the API. */
export function offering(offer: string): string {
  return all.find(({ offers }) => offers.includes(offer))?.name ?? ''
}
