/**
 * One row per line; the first line says what this is, the last that nothing is missing, with the digest of all lines before it. A
 * part that is not the last ends with `next`: the digest of its lines, with which the next part's begins (docs/verify.md).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Writer } from './export-parts'

export interface About {
  readonly corpus: string
  readonly version: number
  /** With `settings` as they are sent: what is needed to create a corpus that derives the same graph. */
  readonly strategies?: readonly string[]
  readonly settings?: object
  readonly default_access?: readonly string[]
  /** Absent: none. */
  readonly partitions?: number
}

interface Carried {
  readonly counts?: { [type: string]: number }
  readonly digest?: string
}

export function jsonLines(about: About, { counts: before, digest }: Carried = {}): Writer {
  const counts: { [type: string]: number } = { document: 0, chunk: 0, label: 0, node: 0, edge: 0, receipt: 0, ...before }
  const hash = sha256.create()
  if (digest) hash.update(utf8ToBytes(`${digest}\n`))
  const line = (value: object): string => {
    const text = `${JSON.stringify(value)}\n`
    hash.update(utf8ToBytes(text))
    return text
  }
  const sofar = (): string => bytesToHex(hash.clone().digest())
  return {
    head: () => line({ type: 'corpus', ...about }),
    row(row) {
      counts[row.type] = (counts[row.type] ?? 0) + 1
      return line(row)
    },
    carried: () => ({ counts, digest: sofar() }),
    next: (cursor) => `${JSON.stringify({ type: 'next', digest: sofar(), cursor })}\n`,
    end: () => `${JSON.stringify({ type: 'end', counts, digest: sofar() })}\n`,
  }
}
