/**
 * How many tokens a text can be to a model, whatever its vocabulary. No token is less than a byte of UTF-8: byte-level vocabularies end at single
 * bytes, the others at single characters, some of the text's NFKC form, which may be longer. Four to five times what English comes to, so it is for
 * what is set aside under a ceiling alone; what people are shown is `countTokens`.
 */
const AROUND = 32 // tokens a model's own form puts around a text or a message, at most
const WINDOW = 1024 // bytes of a text for which that is counted once more: it may be read in windows, each with marks of its own
const BEYOND_ASCII = /[\u0080-\uffff]/

export function tokenBound(text: string): number {
  const bytes = BEYOND_ASCII.test(text) ? Math.max(utf8Bytes(text), utf8Bytes(text.normalize('NFKC'))) : text.length
  return bytes + AROUND * (1 + Math.floor(bytes / WINDOW))
}

export function tokenBounds(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + tokenBound(text), 0)
}

/** Half a pair counts as the character that is sent for it: three bytes. */
function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
