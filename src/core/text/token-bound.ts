/**
 * The most tokens that a model can make of a text, whatever its vocabulary. No token is less than a byte of UTF-8: byte-level vocabularies go down
 * to single bytes, the others to single characters, some of the text's NFKC form, which may be longer. Four to five times what English takes, so it
 * only serves to set amounts aside under a ceiling; people are shown `countTokens`.
 */
const AROUND = 32 // tokens that a model's own format puts around a text or a message, at most
const WINDOW = 1024 // bytes of a text for which those are counted once more: it may be read in windows, each with marks of its own
const BEYOND_ASCII = /[\u0080-\uffff]/

export function tokenBound(text: string): number {
  const bytes = BEYOND_ASCII.test(text) ? Math.max(utf8Bytes(text), utf8Bytes(text.normalize('NFKC'))) : text.length
  return bytes + AROUND * (1 + Math.floor(bytes / WINDOW))
}

export function tokenBounds(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + tokenBound(text), 0)
}

/** Half a surrogate pair counts as the character that is sent for it: three bytes. */
function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
