/** Numbers as Chinese and Japanese write them, in digits or in characters. Pure. */

const DIGITS = '〇一二三四五六七八九'
const TENS: { readonly [character: string]: number } = { 十: 10, 百: 100, 千: 1000 }
const NUMBER = /^[\p{Nd}〇零一二两三四五六七八九十百千万]+$/u
const POSITIONAL = /^[〇零一二三四五六七八九]+$/u

/** In our digits; undefined: no number, or one in digits of another script alone. */
export function hanNumber(text: string): string | undefined {
  if (!NUMBER.test(text) || /\p{Nd}/u.test(text)) return undefined
  const plain = text.replaceAll('零', '〇').replaceAll('两', '二')
  if (POSITIONAL.test(text))
    return [...plain]
      .map((one) => DIGITS.indexOf(one))
      .join('')
      .replace(/^0+(?=\d)/, '')
  const [head = '', ...rest] = plain.split('万')
  if (rest.length > 1) return undefined
  return String(rest.length === 0 ? belowMyriad(head) : belowMyriad(head || '一') * 10_000 + belowMyriad(rest[0] ?? ''))
}

function belowMyriad(text: string): number {
  let [sum, digit] = [0, 0]
  for (const one of text) {
    const scale = TENS[one]
    if (scale === undefined) digit = Math.max(0, DIGITS.indexOf(one))
    else {
      sum += (digit || 1) * scale
      digit = 0
    }
  }
  return sum + digit
}
