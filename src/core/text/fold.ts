/**
 * The one form in which letters count as the same: NFKC, lower case, Latin letters without diacritics, Arabic without vowel points and Hebrew
 * without niqqud, nothing invisible. Folding twice is the same as folding once. Lengths may change, so offsets into folded text mean nothing
 * elsewhere.
 */

const BEYOND_ASCII = /[\u0080-\uffff]/
const ACCENTED_LATIN = /(\p{Script=Latin})\p{M}+/gu
/** Removed everywhere, whatever letter they follow. */
const INVISIBLE = new RegExp(
  [
    '[\\u0300-\\u036f]', // stress and other loose accents
    '[\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7]', // niqqud and cantillation
    '[\\u0610-\\u061a\\u064b-\\u0652\\u0656-\\u065f\\u0670\\u06d6-\\u06ed]|\\u0640', // Arabic points; tatweel
    '\\u00ad|[\\u200b-\\u200f]|[\\u2060-\\u2064]|[\\ufe00-\\ufe0f]|\\ufeff', // soft hyphen, joiners, directions, variation selectors
  ].join('|'),
  'g',
)
const SPECIAL: { readonly [letter: string]: string } = {
  ß: 'ss',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
  ς: 'σ',
}
const SPECIALS = /[ßøđðþłæœıħς]/g

/** More marks than Unicode's stream-safe format allows on one letter; putting them in canonical order would take quadratic time. */
const PILED = /(\p{M}{30})\p{M}+/gu

export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  const plain = text.replace(PILED, '$1').normalize('NFKC').toLowerCase().normalize('NFD').replace(ACCENTED_LATIN, '$1').normalize('NFC')
  return plain.replace(INVISIBLE, '').replace(SPECIALS, (letter) => SPECIAL[letter] ?? letter)
}

/** Lower case with accents, for stemmers that need them: every composed character is one character, and nothing is invisible. */
export function lowered(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text.replace(PILED, '$1').normalize('NFKC').toLowerCase().normalize('NFC').replace(INVISIBLE, '')
}
