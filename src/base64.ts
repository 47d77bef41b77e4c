/** Base64 (RFC 4648, padded) of bytes that may be megabytes: in slices, so that no second copy of them is made and no call takes more arguments than it may. */
const BYTES = 0x6000 // of a slice; a multiple of three, so that each is base64 by itself
const LETTERS = 16 * 1024 // four are three bytes

export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += BYTES) text += btoa(String.fromCharCode(...bytes.subarray(at, at + BYTES)))
  return text
}

/** Null: not base64. Looked at slice by slice, too: an expression that is matched against megabytes overflows its stack in a process that has run for long. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const letters = text.length - padding
  const bytes = new Uint8Array(Math.floor((letters * 3) / 4))
  try {
    for (let from = 0, at = 0; from < text.length; from += LETTERS) {
      if (!/^[A-Za-z0-9+/]*$/.test(text.slice(from, Math.min(letters, from + LETTERS)))) return null
      const binary = atob(text.slice(from, from + LETTERS))
      for (let i = 0; i < binary.length; i++) bytes[at++] = binary.charCodeAt(i)
    }
    return bytes
  } catch {
    return null
  }
}
