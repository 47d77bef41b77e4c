/** Yields the lines of a text one by one: a list of all lines of a long file with short lines takes more memory than the file. */
export function* linesOf(text: string): Generator<string> {
  for (let at = 0; at <= text.length; ) {
    const end = text.indexOf('\n', at)
    yield text.slice(at, end < 0 ? undefined : end)
    if (end < 0) return
    at = end + 1
  }
}
