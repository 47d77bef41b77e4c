/**
 * Does a name occur in a text? Compatibility forms, case and runs of white space do not matter; a name inside a longer word is another
 * name, except in scripts that write without spaces. Pure; independent of models.
 */

/** Scripts whose words touch each other. */
const JOINED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORDLIKE = /[\p{L}\p{N}\p{M}]/u

/** The form that two spellings of a name share. */
export function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ').trim()
}

/** `text` and `name` already folded. */
export function occurs(text: string, name: string): boolean {
  if (name === '') return false
  const first = firstOf(name)
  const last = lastOf(name)
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (
      borders(lastOf(text.slice(Math.max(0, at - 2), at)), first) &&
      borders(last, firstOf(text.slice(at + name.length, at + name.length + 2)))
    ) {
      return true
    }
  }
  return false
}

/** Do two neighbouring characters belong to different words? */
function borders(left: string, right: string): boolean {
  if (!WORDLIKE.test(left) || !WORDLIKE.test(right)) return true
  return JOINED.test(left) || JOINED.test(right)
}

function firstOf(text: string): string {
  const code = text.codePointAt(0)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function lastOf(text: string): string {
  const tail = [...text.slice(-2)]
  return tail[tail.length - 1] ?? ''
}
