/** The tables of docs/models.md, from what was measured. */
import { type Outcomes, type Way, ways } from './outcomes'

export interface Run {
  readonly date: string
  /** Version of the prompts. */
  readonly prompts: string
  readonly weights: { readonly [model: string]: string }
  readonly models: readonly ModelResult[]
}

export interface ModelResult {
  readonly model: string
  readonly roles: { readonly [role: string]: RoleResult }
}

/** What any role has, and more of its own. */
export type RoleResult = Outcomes & { readonly [more: string]: unknown }

const WORDS: { readonly [way in Way]: string } = {
  once: 'used as they came',
  repaired: 'JSON mended',
  retried: 'asked again',
  split: 'text halved',
  unusable: 'of no use',
}

export function markdown({ models }: Run): string {
  const rows = models.flatMap(({ model, roles }) =>
    Object.entries(roles).map(([role, one]) => [
      model,
      role,
      one.sample,
      ...ways.map((way) => one.ways[way] ?? 0),
      `${one.truncated} of ${one.calls}`,
      (one.tokens.in / Math.max(1, one.tokens.countedIn)).toFixed(2),
      (one.tokens.out / Math.max(1, one.tokens.countedOut)).toFixed(2),
      (one.seconds / Math.max(1, one.sample)).toFixed(1),
      one.load,
      found(one),
    ]),
  )
  const head = [
    'model',
    'role',
    'sample',
    ...ways.map((way) => WORDS[way]),
    'replies cut',
    'tokens read / counted',
    'written / counted',
    's each',
    'load',
    'found',
  ]
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const COMMON: ReadonlySet<string> = new Set(['sample', 'ways', 'truncated', 'calls', 'seconds', 'tokens', 'load', 'material'])

/** What is a role's own, in words. */
function found(role: RoleResult): string {
  const own = Object.entries(role).filter(([name]) => !COMMON.has(name))
  return own.map(([name, value]) => `${name} ${shown(value)}`).join('; ')
}

function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name} ${shown(one)}`)
    .join(', ')
}
