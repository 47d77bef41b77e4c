/** What kind of picture it is, by its first bytes, and whether a model can take it: its declared type is only the sender's claim. */
import { visionLimits } from '../platform-limits'
import type { Picture, ScannedPicture } from '../ports/conversion'

const SVG_HEAD = 1024 // bytes in which its element begins, after comments and declarations
const JPEG_TAIL = 2048 // bytes that contain its end marker: scanners append some

/** Null: not a known format. */
export function pictureTypeOf(bytes: Uint8Array): Exclude<Picture['media'], 'application/pdf'> | null {
  const at = (offset: number, ...values: readonly number[]): boolean => values.every((value, i) => bytes[offset + i] === value)
  if (at(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (at(0, 0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (at(0, 0x52, 0x49, 0x46, 0x46) && at(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp'
  return /<svg[\s>]/i.test(new TextDecoder().decode(bytes.subarray(0, SVG_HEAD))) ? 'image/svg+xml' : null
}

/** Why no model takes it: it is incomplete, or has too many bytes or points. Null: nothing wrong can be seen without unpacking it. */
export function flawOf(bytes: Uint8Array, media: ScannedPicture['media']): 'broken' | 'too_large' | null {
  const points = media === 'image/jpeg' ? pointsOfJpeg(bytes) : media === 'image/png' ? pointsOfPng(bytes) : 1
  if (points === 0) return 'broken'
  return points > visionLimits.maxPoints || bytes.length > visionLimits.maxBytes ? 'too_large' : null
}

const two = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

/** 0: it is truncated, or not a JPEG. Its size precedes its data; its end marker follows them. */
function pointsOfJpeg(bytes: Uint8Array): number {
  if (two(bytes, 0) !== 0xffd8) return 0
  const tail = bytes.subarray(-JPEG_TAIL)
  const ends = tail.some((byte, i) => byte === 0xff && tail[i + 1] === 0xd9)
  for (let at = 2; ends && at + 8 < bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return 0
    if (marker === 0xff) at++
    else if (marker === 0xda || marker === 0xd9) return 0
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return two(bytes, at + 5) * two(bytes, at + 7)
    else at += 2 + Math.max(2, two(bytes, at + 2))
  }
  return 0
}

function pointsOfPng(bytes: Uint8Array): number {
  const four = (at: number): number => two(bytes, at) * 65_536 + two(bytes, at + 2)
  return four(16) * four(20)
}
