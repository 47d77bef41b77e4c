/** An export is returned in parts, each ending with a mark that says where to continue. Joined in order, they are the export. */
import { foreign } from './answer'

const TAIL = 16 * 1024 // bytes at the end of a part that are looked at; a mark is shorter

/** One response for all parts. `part` asks for the part at a cursor. */
export async function wholeExport(part: (cursor: string | undefined) => Promise<Response>): Promise<Response> {
  const first = await part(undefined)
  if (/^(text\/html|application\/json)\b/.test(first.headers.get('content-type') ?? '')) throw foreign(first)
  const pieces = piecesOf(first, part)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return()
    },
  })
  return new Response(body, { headers: first.headers })
}

async function* piecesOf(first: Response, part: (cursor: string) => Promise<Response>): AsyncGenerator<Uint8Array, void, void> {
  for (let response = first; ; ) {
    let tail: Uint8Array = new Uint8Array()
    for (const reader = readerOf(response); ; ) {
      const { value, done } = await reader.read()
      if (done) break
      tail = keepTail(tail, value)
      yield value
    }
    const cursor = cursorAfter(new TextDecoder().decode(tail))
    if (cursor === undefined) return
    response = await part(cursor)
  }
}

function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> {
  return (body ?? new ReadableStream<Uint8Array>({ start: (controller) => controller.close() })).getReader()
}

function keepTail(before: Uint8Array, piece: Uint8Array): Uint8Array {
  if (piece.length >= TAIL) return piece.slice(-TAIL)
  const kept = before.subarray(Math.max(0, before.length + piece.length - TAIL))
  const both = new Uint8Array(kept.length + piece.length)
  both.set(kept)
  both.set(piece, kept.length)
  return both
}

/** Of a part that is not the last: its last line is `{"type":"next",…}`, or in GraphML `<?loam-next …?>`. */
export function cursorAfter(text: string): string | undefined {
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  if (!line.startsWith('{"type":"next"')) return /^<\?loam-next (\S+)\?>$/.exec(line)?.[1]
  return (JSON.parse(line) as { readonly cursor: string }).cursor
}
