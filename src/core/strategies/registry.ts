/** Which strategies there are, and which builders a corpus needs for those it has switched on. The only file that knows them all. */
import type { Builder, Strategy } from '../strategy'
import { archrag } from './archrag/archrag'
import { auto } from './auto/auto'
import { hybrid } from './baselines/hybrid'
import { keyword } from './baselines/keyword'
import { vector } from './baselines/vector'
import { cluerag } from './cluerag/cluerag'
import { erarag } from './erarag/erarag'
import { ketrag } from './ketrag/ketrag'

/** Always answer: baselines and the default need no switch. */
const ALWAYS: readonly Strategy[] = [keyword, vector, hybrid, auto]
/** The five systems, switched on per corpus, in the order their builders run. */
const OPTIONAL: readonly Strategy[] = [erarag, cluerag, ketrag, archrag]

export const strategies: ReadonlyMap<string, Strategy> = new Map([...ALWAYS, ...OPTIONAL].map((one) => [one.name, one]))

/** Names a corpus may switch on. GORAG classifies and builds from labels, not from documents: it has no builder and no walk. */
export const optionalStrategies: readonly string[] = [...OPTIONAL.map((one) => one.name), 'gorag']

export function isEnabled(name: string, switchedOn: readonly string[]): boolean {
  return ALWAYS.some((one) => one.name === name) || (switchedOn.includes(name) && strategies.has(name))
}

/** Builders of all enabled strategies, each once, in registry order: the same set always runs in the same order. */
export function enabledBuilders(switchedOn: readonly string[]): readonly Builder[] {
  const builders = [...ALWAYS, ...OPTIONAL.filter((one) => switchedOn.includes(one.name))].flatMap((one) => one.builders)
  return [...new Map(builders.map((one) => [one.name, one])).values()]
}
