/** One row a line; the first line says what this is, the last that nothing is missing, with the digest of all lines before it. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ExportedRow } from '../catalogue-ports'

export interface About {
  readonly corpus: string
  readonly version: number
  /** With `settings` as they are sent: what makes a corpus that derives the same graph. */
  readonly strategies?: readonly string[]
  readonly settings?: object
}

export async function* jsonLines(about: About, rows: AsyncIterable<ExportedRow>): AsyncGenerator<string, void, void> {
  const counts = { document: 0, chunk: 0, label: 0, node: 0, edge: 0, receipt: 0 }
  const digest = sha256.create()
  const line = (value: object): string => {
    const text = `${JSON.stringify(value)}\n`
    digest.update(utf8ToBytes(text))
    return text
  }
  yield line({ type: 'corpus', ...about })
  for await (const row of rows) {
    counts[row.type]++
    yield line(row)
  }
  yield `${JSON.stringify({ type: 'end', counts, digest: bytesToHex(digest.digest()) })}\n`
}
