/** Everything D1 holds of a corpus, streamed: JSON lines, or GraphML for graph tools. Nothing larger than a page is in memory. */
import { Hono } from 'hono'
import type { ExportedRow } from '../../catalogue-ports'
import type { CommitReceipt, CorpusObject, LabelView, Page } from '../../ports'
import { within } from '../access'
import { type Ctx, type Http, objectOf } from '../context'
import { graphml } from '../graphml'
import { jsonLines } from '../json-lines'
import { Problem } from '../problem'
import { settingsView } from '../settings'
import { settledVersion } from '../settled'

const FORMATS = { jsonl: { type: 'application/x-ndjson', write: jsonLines }, graphml: { type: 'application/graphml+xml', write: graphml } }
const LABELS = 50 // of a page
const RECEIPTS = 1000 // of a page
const PIECE = 64 * 1024 // characters gathered before they are sent

export const exportRoutes = new Hono<Http>().get('/v1/corpora/:corpus/export', within('read'), async (c) => {
  const name = c.req.query('format') || 'jsonl'
  if (name !== 'jsonl' && name !== 'graphml') {
    throw new Problem('invalid', 'The format is jsonl or graphml.', { errors: [{ path: 'format', message: 'jsonl or graphml' }] })
  }
  const { type, write } = FORMATS[name]
  const version = await settledVersion(c)
  const { name: corpus, strategies, settings } = c.get('corpus')
  const lines = write({ corpus, version, strategies, settings: settingsView(settings) }, rowsOf(c))
  return new Response(streamed(lines), { headers: headersOf(c, `${type}; charset=utf-8`, `${corpus}.${name}`) })
})

/** Labels with the texts of their examples are known to the object alone, and come first: they are few. */
async function* rowsOf(c: Ctx): AsyncGenerator<ExportedRow, void, void> {
  if (c.get('corpus').strategies.includes('gorag')) yield* labelsOf(objectOf(c))
  yield* c.get('world').listings.everything(c.get('corpus'))
  yield* receiptsOf(objectOf(c))
}

/** Last, so that a corpus that changed meanwhile shows it. */
async function* receiptsOf(corpus: CorpusObject): AsyncGenerator<ExportedRow, void, void> {
  for (let cursor: string | null = null; ; ) {
    const { data, next_cursor }: Page<CommitReceipt> = await corpus.receipts(cursor, RECEIPTS)
    for (const one of data) yield { type: 'receipt', ...one }
    if (next_cursor === null) return
    cursor = next_cursor
  }
}

async function* labelsOf(corpus: CorpusObject): AsyncGenerator<ExportedRow, void, void> {
  for (let cursor: string | null = null; ; ) {
    const { data, next_cursor }: Page<LabelView> = await corpus.labels(cursor, LABELS)
    for (const { label, description, examples } of data)
      yield { type: 'label', label, description, examples: examples.map(({ text }) => text) }
    if (next_cursor === null) return
    cursor = next_cursor
  }
}

function headersOf(c: Ctx, type: string, file: string): HeadersInit {
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${file}"`,
    'cache-control': 'no-store',
    'x-request-id': c.get('requestId'),
  }
}

/** A failure half-way breaks the connection off: half an export never looks like a whole one. */
function streamed(lines: AsyncGenerator<string, void, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      let piece = ''
      while (piece.length < PIECE) {
        const { value, done } = await lines.next()
        if (done) {
          if (piece !== '') controller.enqueue(encoder.encode(piece))
          controller.close()
          return
        }
        piece += value
      }
      controller.enqueue(encoder.encode(piece))
    },
    async cancel() {
      await lines.return()
    },
  })
}
