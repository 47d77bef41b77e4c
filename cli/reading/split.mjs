/** Documents as the service takes them: at most 1 MiB of text (longer ones in parts, cut between paragraphs), ids of at most 256 bytes. */
import { createHash } from 'node:crypto'

const MOST_TEXT = 1024 * 1024 // bytes of UTF-8
const PART = 512 * 1024 // bytes of a part at most
const MOST_ID = 256 // bytes of UTF-8
const MOST_TITLE = 1000 // characters

export function* fitted({ id, title, text, ...rest }) {
  const named = title ? { title: title.slice(0, MOST_TITLE) } : {}
  if (Buffer.byteLength(text) <= MOST_TEXT) return yield { ...rest, ...named, id: idOf(id), text }
  let part = 0
  for (const piece of partsOf(text)) {
    part++
    yield { ...rest, ...named, id: idOf(`${id}#part-${part}`), text: piece }
  }
}

/** One that is too long ends in a fingerprint of the whole. */
function idOf(id) {
  if (Buffer.byteLength(id) <= MOST_ID) return id
  const mark = `~${createHash('sha256').update(id).digest('hex').slice(0, 16)}`
  let kept = id
  while (Buffer.byteLength(kept) + mark.length > MOST_ID) kept = [...kept].slice(0, -1).join('')
  return kept + mark
}

/** Nothing is lost or doubled: the pieces joined are the text. */
export function* partsOf(text, most = PART) {
  for (let from = 0; from < text.length; ) {
    const limit = from + within(text.slice(from, from + most), most)
    const to = limit >= text.length ? text.length : cutBefore(text, from, limit)
    yield text.slice(from, to)
    from = to
  }
}

/** How many UTF-16 units of it fit. */
function within(text, most) {
  let bytes = 0
  let at = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    at += character.length
  }
  return at
}

function cutBefore(text, from, limit) {
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark, limit - mark.length)
    if (at > from + (limit - from) / 2) return at + mark.length
  }
  return limit
}
