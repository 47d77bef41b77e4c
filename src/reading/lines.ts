/** Lines of a text, one after the other: of a long file with short lines a list of them takes more than the file. */
export function* linesOf(text: string): Generator<string> {
  for (let at = 0; at <= text.length; ) {
    const end = text.indexOf('\n', at)
    yield text.slice(at, end < 0 ? undefined : end)
    if (end < 0) return
    at = end + 1
  }
}
