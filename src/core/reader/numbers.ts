/** Numbers with points in them (versions, times, decimals) are said only as they are written. */

export function isPointedNumber(word: string): boolean {
  return /^\p{Nd}+(?:[.:]\p{Nd}+)+$/u.test(word)
}

/** As a whole: "2.0" is not said by "12.0", "2.01" or "2.0.1". */
export function saysNumber(text: string, number: string): boolean {
  for (let at = text.indexOf(number); at >= 0; at = text.indexOf(number, at + 1)) {
    if (!/\p{Nd}[.:]?$/u.test(text.slice(Math.max(0, at - 2), at)) && !/^[.:]?\p{Nd}/u.test(text.slice(at + number.length))) return true
  }
  return false
}
