/** Keys of equal length in lower-case hexadecimal, read as the leaves of a binary trie. */

/** The first key, present or not, on the right side of the branch at which two different keys part. `a` comes before `b`. */
export function branch(a: string, b: string): string {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  if (a.length !== b.length || at === a.length) throw new Error('trie: keys must differ and have one length')
  const right = Number.parseInt(b.charAt(at), 16)
  const highest = 31 - Math.clz32(right ^ Number.parseInt(a.charAt(at), 16))
  return a.slice(0, at) + ((right >> highest) << highest).toString(16) + '0'.repeat(a.length - at - 1)
}

/** The last possible key on the left side of the branch whose right side begins with `pivot`. */
export function before(pivot: string): string {
  const kept = pivot.replace(/0*$/, '')
  const last = Number.parseInt(kept.slice(-1), 16)
  return kept.slice(0, -1) + (last - 1).toString(16) + 'f'.repeat(pivot.length - kept.length)
}
