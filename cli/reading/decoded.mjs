/** Bytes as text: UTF-8, or UTF-16 where a byte order mark says so. Anything else is refused: guessing an encoding garbles names. */
export function decoded(bytes) {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  let text
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new Error('is not UTF-8')
  }
  if (text.includes('\u0000')) throw new Error('is not text')
  return text
}
