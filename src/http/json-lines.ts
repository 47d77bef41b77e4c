/** One row a line; the first line says what this is, the last that nothing is missing. */
import type { ExportedRow } from '../catalogue-ports'

export interface About {
  readonly corpus: string
  readonly version: number
  /** With `settings` as they are sent: what makes a corpus that derives the same graph. */
  readonly strategies?: readonly string[]
  readonly settings?: object
}

export async function* jsonLines(about: About, rows: AsyncIterable<ExportedRow>): AsyncGenerator<string, void, void> {
  const counts = { document: 0, chunk: 0, label: 0, node: 0, edge: 0 }
  yield `${JSON.stringify({ type: 'corpus', ...about })}\n`
  for await (const row of rows) {
    counts[row.type]++
    yield `${JSON.stringify(row)}\n`
  }
  yield `${JSON.stringify({ type: 'end', counts })}\n`
}
