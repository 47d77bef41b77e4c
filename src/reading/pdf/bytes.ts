/** Searches for words in the bytes of a PDF, which is text except in its streams. */

/** The first occurrence from a position on; −1: none. */
export function find(bytes: Uint8Array, word: string, from: number): number {
  const first = word.charCodeAt(0)
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let i = 1
    while (i < word.length && bytes[at + i] === word.charCodeAt(i)) i++
    if (i === word.length) return at
  }
  return -1
}

/** The last occurrence before a position, at most so many bytes before it; −1: none. */
export function findBack(bytes: Uint8Array, word: string, before: number, within: number): number {
  for (let at = before - word.length; at >= Math.max(0, before - within); at--) {
    let i = 0
    while (i < word.length && bytes[at + i] === word.charCodeAt(i)) i++
    if (i === word.length) return at
  }
  return -1
}

/** One character for each byte. */
export function latin(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return text
}
