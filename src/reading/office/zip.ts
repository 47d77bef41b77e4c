/**
 * The parts of a container (docx, pptx, xlsx, EPUB). Their sizes come from its directory and are bounded before anything is unpacked; a
 * part that misstates its size is cut at that size.
 */
import { unzipSync } from 'fflate'
import { releaseBytes } from '../../bytes-up-to'
import type { ReadBounds } from '../bounds'
import { Unreadable } from '../unreadable'

const MAX_PARTS = 20_000
const OLD_OFFICE = [0xd0, 0xcf, 0x11, 0xe0] // the container of Word 97, and of password-protected files

export interface Parts {
  readonly names: readonly string[]
  /** Undefined: there is no such part. */
  find(name: string): string | undefined
  /** A part that must exist. */
  read(name: string): string
}

/** The wanted parts, while they are read: they may take more memory than anything else of a file, and are released immediately. */
export function withParts<T>(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  bounds: ReadBounds,
  read: (parts: Parts, bounds: ReadBounds) => T,
): T {
  if (OLD_OFFICE.every((byte, i) => bytes[i] === byte))
    throw new Unreadable(
      'encrypted',
      'This file has a password or is in an old format. Save it without a password as .docx, .pptx or .xlsx.',
    )
  const files = unpack(bytes, isWanted, bounds.parts)
  try {
    return read(partsOf(files), bounds)
  } finally {
    for (const part of Object.values(files)) releaseBytes(part)
  }
}

function partsOf(files: Files): Parts {
  const find = (name: string): string | undefined => (files[name] ? textOf(files[name]) : undefined)
  return {
    names: Object.keys(files),
    find,
    read(name) {
      const found = find(name)
      if (found === undefined) throw broken()
      return found
    },
  }
}

export const broken = (): Unreadable => new Unreadable('broken', 'This file is broken, or not what its type says.')

type Files = { readonly [name: string]: Uint8Array<ArrayBuffer> }

/** Each in its own buffer. */
function unpack(bytes: Uint8Array, isWanted: (name: string) => boolean, max: number): Files {
  let [total, parts] = [0, 0]
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (++parts > MAX_PARTS) throw tooLarge()
        if (!isWanted(name)) return false
        total += originalSize
        if (total > max) throw tooLarge()
        return true
      },
    })
  } catch (error) {
    throw error instanceof Unreadable ? error : broken()
  }
}

const tooLarge = (): Unreadable => new Unreadable('too_large', 'This file unpacks to more than can be read at once. Split it.')

function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

/** `ppt/slides/slide1.xml` and `../media/a.png` are `ppt/media/a.png`. */
export function resolvePath(from: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const out = from.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') out.pop()
    else if (step !== '.' && step !== '') out.push(step)
  }
  return out.join('/')
}
