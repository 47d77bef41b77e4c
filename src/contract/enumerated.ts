/** `a, b and c`. */
export function enumerate(names: readonly string[], last: 'and' | 'or'): string {
  const [end = '', ...before] = [...names].reverse()
  return before.length === 0 ? end : `${before.reverse().join(', ')} ${last} ${end}`
}
