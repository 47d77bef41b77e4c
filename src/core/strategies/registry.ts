/** What follows from the list of strategies: which exist, and which builders a corpus needs for those it has switched on. */
import type { ValueRule } from '../access/visible-value'
import type { Need } from '../estimate/need'
import type { Builder, Strategy } from '../strategy'
import type { Offer, StrategyDeclaration } from '../strategy-declaration'
import { declarations } from './index'

const byName: ReadonlyMap<string, StrategyDeclaration> = new Map(declarations.map((one) => [one.name, one]))

/** Those that answer questions. */
export const strategies: ReadonlyMap<string, Strategy> = new Map(
  declarations.flatMap(({ name, strategy }) => (strategy ? [[name, strategy] as const] : [])),
)

/** Names a corpus may switch on. */
export const optionalStrategies: readonly string[] = named((one) => one.enabled !== 'always')

/** Those switched on in a corpus for which none are chosen. */
export const defaultStrategies: readonly string[] = named((one) => one.enabled === 'default')

export function declarationOf(name: string): StrategyDeclaration | undefined {
  return byName.get(name)
}

/** Does it answer questions in a corpus with these switched on? */
export function isEnabled(name: string, switchedOn: readonly string[]): boolean {
  const declared = byName.get(name)
  return declared?.strategy !== undefined && (declared.enabled === 'always' || switchedOn.includes(name))
}

/**
 * Builders of all enabled strategies, each once: in the order of the list, but after those it follows, so the same set always runs in the same
 * order.
 */
export function enabledBuilders(switchedOn: readonly string[]): readonly Builder[] {
  const listed = declarations.flatMap(({ name, strategy }) => (strategy && isEnabled(name, switchedOn) ? strategy.builders : []))
  const builders = new Map(listed.map((one) => [one.name, one]))
  const placed = new Set<Builder>()
  const place = (builder: Builder, above: ReadonlySet<Builder>): void => {
    if (placed.has(builder) || above.has(builder)) return
    for (const name of builder.follows ?? []) {
      const other = builders.get(name)
      if (other) place(other, new Set([...above, builder]))
    }
    placed.add(builder)
  }
  for (const builder of builders.values()) place(builder, new Set())
  return [...placed]
}

/** Tells of the trees of summaries that a corpus with these switched on has, whichever strategy asks; undefined: it has none. */
export function treesOf(switchedOn: readonly string[]): Strategy['trees'] {
  return declarations.find(({ name, strategy }) => strategy?.trees && isEnabled(name, switchedOn))?.strategy?.trees
}

/** What these strategies ask of models. */
export function needsOf(names: readonly string[]): readonly Need[] {
  return names.flatMap((name) => byName.get(name)?.need ?? [])
}

/** The strategy that offers this part of the API. */
export function strategyOffering(offer: Offer): string {
  const [name] = named((one) => one.offers?.includes(offer) ?? false)
  if (name === undefined) throw new Error(`strategies: none offers ${offer}`)
  return name
}

/** Whether a value that a strategy keeps for itself is visible. Its space is the strategy's name, or begins with the name and a slash. */
export const isVisibleValue: ValueRule = (row, sees) => byName.get(row.space.split('/', 1)[0] ?? '')?.isVisible?.(row, sees) ?? false

/** Spaces of values that do not come from documents. */
export const keptSpaces: readonly string[] = declarations.flatMap((one) => one.keptSpaces ?? [])

function named(where: (one: StrategyDeclaration) => boolean): readonly string[] {
  return declarations.filter(where).map((one) => one.name)
}
