/** Sends what is too large for memory line by line, as a file. */
import type { Ctx } from './context'

const MIN_SENT = 64 * 1024 // characters gathered before they are sent

export function attachmentHeaders(c: Ctx, type: string, file: string): HeadersInit {
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${file}"`,
    'cache-control': 'no-store',
    'x-request-id': c.get('requestId'),
  }
}

/** A failure midway breaks off the connection: an incomplete result never looks complete. */
export function streamLines(lines: AsyncGenerator<string, void, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      let text = ''
      while (text.length < MIN_SENT) {
        const { value, done } = await lines.next()
        if (done) {
          if (text !== '') controller.enqueue(encoder.encode(text))
          controller.close()
          return
        }
        text += value
      }
      controller.enqueue(encoder.encode(text))
    },
    async cancel() {
      await lines.return()
    },
  })
}
