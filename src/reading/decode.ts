/**
 * Bytes as text. A byte order mark decides first, then the declared encoding, then UTF-8; otherwise chardet detects the encoding, which is
 * used only if chardet is sure and every byte fits: a wrong guess would silently garble names.
 */
import { Unreadable } from './unreadable'

const SAMPLE = 64 * 1024 // bytes examined
const SURE = 40 // out of 100, as chardet counts; a page of prose in a code page of Western Europe has 50 and more
const CONTROLS = /[^\P{Cc}\t\n\r\f\v]/u // no text contains them; one above 0x80 is a byte that stands for nothing in that code page
const MARKS = /ÿþ|þÿ|ï»¿/ // byte order marks, read as letters
const UNASSIGNED = /\p{Cn}/u
/** Node decodes windows-1252 as if it had control characters in place of quotes and dashes; these are the standard's. */
const LATIN = /^(windows-1252|cp1252|iso-?8859-1|latin1)$/i
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const HELP = 'Save it as UTF-8 and send it again, or name its encoding (`Content-Type: text/plain; charset=windows-1252`).'
export const NOT_UTF8 = `This file is not UTF-8, and which encoding it has is not certain. ${HELP}`

export async function decode(bytes: Uint8Array, declared?: string): Promise<string> {
  const marked = markOf(bytes)
  if (marked) return decodeMarked(bytes, marked)
  if (declared !== undefined) return decodeAs(bytes, declared)
  return tryDecode(bytes, 'utf-8') ?? (await guess(bytes))
}

/** The encoding that a page declares itself, in its first kilobyte. */
export function charsetOfHtml(bytes: Uint8Array): string | undefined {
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]{1,40})/i.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 1024)))?.[1]
}

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined
}

/** Two bytes at the beginning may be a mark by chance: what is then read of the others is no script. */
function decodeMarked(bytes: Uint8Array, encoding: string): string {
  const text = decodeAs(bytes, encoding)
  if (encoding !== 'utf-8' && UNASSIGNED.test(text)) throw new Unreadable('encoding', NOT_UTF8)
  return text
}

function decodeAs(bytes: Uint8Array, encoding: string): string {
  const text = tryDecode(bytes, encoding)
  if (text !== undefined) return text
  const isKnown = decoderOf(encoding) !== undefined
  throw new Unreadable(
    'encoding',
    isKnown ? `This file is not in the encoding it declares. ${HELP}` : `This file declares an unknown encoding. ${HELP}`,
  )
}

function tryDecode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const text = decoderOf(encoding)?.decode(bytes)
    return text !== undefined && LATIN.test(encoding)
      ? text.replace(/[\u0080-\u009f]/g, (one) => WINDOWS[one.charCodeAt(0) - 0x80] ?? one)
      : text
  } catch {
    return undefined
  }
}

function decoderOf(encoding: string): TextDecoder | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false })
  } catch {
    return undefined
  }
}

async function guess(bytes: Uint8Array): Promise<string> {
  const { default: chardet } = await import('chardet') // bundled in files of its own, it has no names beside this one
  for (const { name, confidence } of chardet.analyse(bytes.subarray(0, SAMPLE))) {
    const text = confidence >= SURE ? tryDecode(bytes, name) : undefined
    if (text !== undefined && !CONTROLS.test(text) && !MARKS.test(text)) return text
  }
  throw new Unreadable('encoding', NOT_UTF8)
}
