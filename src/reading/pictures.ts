/** What a picture is, by its first bytes: what it is called is the sender's word. */
import type { Picture } from '../ports/conversion'

const SVG_HEAD = 1024 // bytes in which its element begins, behind comments and declarations

/** Null: none that is known. */
export function pictureTypeOf(bytes: Uint8Array): Exclude<Picture['media'], 'application/pdf'> | null {
  const at = (offset: number, ...values: readonly number[]): boolean => values.every((value, i) => bytes[offset + i] === value)
  if (at(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (at(0, 0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (at(0, 0x52, 0x49, 0x46, 0x46) && at(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp'
  return /<svg[\s>]/i.test(new TextDecoder().decode(bytes.subarray(0, SVG_HEAD))) ? 'image/svg+xml' : null
}
