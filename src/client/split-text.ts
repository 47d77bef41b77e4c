/** A text that is longer than a document may be, in parts: each ends before a heading, else between paragraphs, lines or words. Nothing is lost or doubled: the parts joined are the text. */

export const MAX_PART = 512 * 1024 // bytes of UTF-8; half of what a document may hold, so that a little more does not move every cut

export function* splitText(text: string, max: number = MAX_PART): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const limit = from + unitsWithin(text.slice(from, from + max), max)
    const to = limit >= text.length ? text.length : cutBefore(text, from, limit)
    yield text.slice(from, to)
    from = to
  }
}

/** How many UTF-16 units of it fit. */
function unitsWithin(text: string, max: number): number {
  let bytes = 0
  let at = 0
  for (const character of text) {
    bytes += bytesOf(character.codePointAt(0) ?? 0)
    if (bytes > max) break
    at += character.length
  }
  return at
}

/** Of UTF-8. */
function bytesOf(point: number): number {
  if (point < 0x80) return 1
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}

/** A part is at least half as long as it might be. */
function cutBefore(text: string, from: number, limit: number): number {
  const least = from + (limit - from) / 2
  const heading = lastHeading(text, least, limit)
  if (heading > 0) return heading
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark, limit - mark.length)
    if (at > least) return at + mark.length
  }
  return limit
}

/** Where it begins, as Markdown writes headings; 0: there is none. */
function lastHeading(text: string, least: number, limit: number): number {
  for (let at = text.lastIndexOf('\n#', limit - 1); at > least; at = text.lastIndexOf('\n#', at - 1))
    if (/^#{1,6} /.test(text.slice(at + 1, at + 8))) return at + 1
  return 0
}
