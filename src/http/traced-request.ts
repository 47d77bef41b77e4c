/**
 * The span of a request: it begins with the request's headers and ends when the answer ends, which for a stream is later than its
 * beginning.
 */
import type { Tracer, Tracing } from '../ports/tracing'
import type { Ctx } from './context'
import { routeOf } from './count-request'

/** After the answer has begun. */
export function endSpan(c: Ctx, tracer: Tracer, tracing: Tracing): void {
  const { later } = c.get('world')
  const route = routeOf(c)
  const status = c.res.status
  let isOpen = true
  const end = (): void => {
    if (!isOpen) return
    isOpen = false
    tracer.end(route, {
      'http.request.method': c.req.method,
      'http.route': route.split(' ')[1] ?? '',
      'http.response.status_code': status,
      'loam.request_id': c.get('requestId'),
      'loam.door': c.get('door'),
    })
    later(tracing.flush())
  }
  const { body } = c.res
  if (body && c.res.headers.get('content-type')?.startsWith('text/event-stream'))
    c.res = new Response(body.pipeThrough(passing(end)), c.res)
  else end()
}

/** Bytes as they come, with a callback when they have ended or are no longer read. */
function passing(ended: () => void): TransformStream<Uint8Array, Uint8Array> {
  const transformer: Transformer<Uint8Array, Uint8Array> & { cancel(): void } = {
    transform: (chunk, controller) => controller.enqueue(chunk),
    flush: ended,
    cancel: ended,
  }
  return new TransformStream(transformer)
}
