/**
 * Rows of bytes kept on disk by the content they were made from (`.loam/cache/`), so that what is dear is computed once a machine: a bench that is stopped
 * goes on where it was. Several processes may add to a file; each sees what the others have added when it looks again.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, closeSync, existsSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

const KEY = 16 // bytes of SHA-256 that name a content
const folder = join(process.cwd(), '.loam', 'cache')

export interface Kept {
  get(content: string): Buffer | undefined
  /** Each of the file's size. */
  add(rows: readonly (readonly [content: string, row: Uint8Array])[]): void
  /** Reads what other processes have added. */
  look(): void
}

/** `size`: bytes of a row. */
export function kept(name: string, size: number): Kept {
  const file = join(folder, `${name}.bin`)
  const record = KEY + size
  const known = new Map<string, Buffer>()
  let read = 0 // bytes of the file that are known
  const look = (): void => {
    if (!existsSync(file)) return
    const handle = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(Math.max(0, Math.floor((fstatSync(handle).size - read) / record) * record))
      readSync(handle, bytes, 0, bytes.length, read)
      for (let at = 0; at < bytes.length; at += record)
        known.set(bytes.toString('hex', at, at + KEY), bytes.subarray(at + KEY, at + record))
      read += bytes.length
    } finally {
      closeSync(handle)
    }
  }
  look()
  return {
    look,
    get: (content) => known.get(keyOf(content)),
    add(rows) {
      mkdirSync(folder, { recursive: true })
      for (const [content, row] of rows) known.set(keyOf(content), Buffer.from(row))
      appendFileSync(file, Buffer.concat(rows.flatMap(([content, row]) => [Buffer.from(keyOf(content), 'hex'), row])))
    },
  }
}

function keyOf(content: string): string {
  return createHash('sha256')
    .update(content)
    .digest('hex')
    .slice(0, 2 * KEY)
}
