/** How two graphs differ, by what their lines are about: a hash says only that they do. */
import { createHash } from 'node:crypto'

export interface Difference {
  /** A kind of node or edge, or a space of values or places. */
  readonly of: string
  /** Lines that only one of the two has. */
  readonly onlyInFirst: readonly string[]
  readonly onlyInSecond: readonly string[]
}

/** Reads each graph twice and holds a hash for each line of it. `examples`: lines kept of each side, where a whole table differs. */
export function differences(first: () => Iterable<string>, second: () => Iterable<string>, examples = 1000): Difference[] {
  const [a, b] = [new Set<string>(), new Set<string>()]
  for (const line of first()) a.add(hashed(line))
  for (const line of second()) b.add(hashed(line))
  const out = new Map<string, { readonly onlyInFirst: string[]; readonly onlyInSecond: string[] }>()
  const note = (line: string, side: 'onlyInFirst' | 'onlyInSecond'): void => {
    const of = tableOf(line)
    const known = out.get(of) ?? { onlyInFirst: [], onlyInSecond: [] }
    out.set(of, known)
    if (known[side].length < examples) known[side].push(line)
  }
  for (const line of first()) if (!b.has(hashed(line))) note(line, 'onlyInFirst')
  for (const line of second()) if (!a.has(hashed(line))) note(line, 'onlyInSecond')
  return [...out].sort(([x], [y]) => (x < y ? -1 : 1)).map(([of, sides]) => ({ of, ...sides }))
}

function hashed(line: string): string {
  return createHash('sha256').update(line).digest('base64').slice(0, 22)
}

/** The first word, and what kind or space it names. */
function tableOf(line: string): string {
  const [word = '', named = ''] = /^(\w+) \["([^"]*)"/.exec(line)?.slice(1) ?? []
  const kind = word === 'node' ? (/^node \["[^"]*","([^"]*)"/.exec(line)?.[1] ?? '') : word === 'document' || word === 'chunk' ? '' : named
  return `${word} ${kind}`.trim()
}
