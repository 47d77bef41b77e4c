/** The strategies as the help names them, from the list that comes with the contract. */
import { readFileSync } from 'node:fs'

/** @type {readonly {name: string, enabled: string, answers: boolean, offers: readonly string[]}[]} */
const listed = JSON.parse(readFileSync(new URL('../src/contract/strategies.json', import.meta.url), 'utf8'))

/** `auto, vector or keyword`: those one can ask with. */
export function askable(strategies = listed) {
  const names = strategies.filter(({ answers }) => answers).map(({ name }) => name)
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** `erarag,gorag`: those a corpus may switch on. */
export function optional(strategies = listed) {
  return strategies
    .filter(({ enabled }) => enabled !== 'always')
    .map(({ name }) => name)
    .join(',')
}
