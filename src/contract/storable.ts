/** Lone surrogates and NUL cannot be stored as they are: each becomes one U+FFFD, so that offsets hold. */
const LONE = /\p{Surrogate}/gu // with the u flag a pair is one character, so only the lone ones match

export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(LONE, '\uFFFD')
}
