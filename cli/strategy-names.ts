/** The strategies as the help names them, from the list in the contract. */
import listed from '../src/contract/strategies.json'

interface Listed {
  readonly name: string
  readonly enabled: string
  readonly answers: boolean
}

export const namesToAskWith = (strategies: readonly Listed[] = listed): readonly string[] =>
  strategies.filter(({ answers }) => answers).map(({ name }) => name)

/** `auto, vector or keyword`: those one can ask with. */
export function askable(strategies: readonly Listed[] = listed): string {
  const names = namesToAskWith(strategies)
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** `erarag,gorag`: those a corpus may switch on. */
export function optional(strategies: readonly Listed[] = listed): string {
  return strategies
    .filter(({ enabled }) => enabled !== 'always')
    .map(({ name }) => name)
    .join(',')
}
