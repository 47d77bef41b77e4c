/** Bytes as text: UTF-8, or UTF-16 where a byte order mark says so. Anything else is refused: guessing an encoding garbles names. */
import { createReadStream } from 'node:fs'
import { NOT_UTF8 } from '../../src/reading/decode'
import { Unreadable } from '../../src/reading/unreadable'

export function decode(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable('encoding', NOT_UTF8)
  }
  if (text.includes('\u0000')) throw new Error('is not text')
  return text
}

/** The same for a file that is read piece by piece; its lines are whole. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of readPieces(path)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

export async function* readPieces(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true }) // drops a byte order mark
  try {
    for await (const bytes of createReadStream(path)) yield decoder.decode(bytes, { stream: true })
    yield decoder.decode()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? new Unreadable('encoding', NOT_UTF8) : error
  }
}
