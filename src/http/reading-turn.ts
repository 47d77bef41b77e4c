/**
 * The turn of a request whose body may be large or contain files (reading-room.ts): taken before any of the body is read, even for
 * its Idempotency-Key, and returned when its texts have been read, so that nobody waits for what follows, or when the request fails
 * for any reason. What another interface sends through our API has that request's turn.
 */
import { createMiddleware } from 'hono/factory'
import { releaseBytes } from '../bytes-up-to'
import { lengthOf, mediaType, requireLength } from './body'
import type { Ctx, Http } from './context'
import { RAW_LIMIT } from './reading'
import { deeper, inTurn, isDeep, turnFor, weightOf } from './reading-room'

/** `limit`: of the route's body. */
export const takeTurn = (read: 'once' | 'twice', limit: number) =>
  createMiddleware<Http>(async (c, next) => {
    if (read === 'once') await requireLength(c, limit, RAW_LIMIT) // /mcp refuses in its own words
    await beginReading(c, limit, read)
    try {
      await next()
    } finally {
      if (c.get('turn') && isStream(c.res))
        c.res = new Response(
          endingWith(c.res.body, () => endReading(c)),
          c.res,
        )
      else endReading(c)
    }
  })

/** A tool of `/mcp` is still at work when its answer begins. */
const isStream = ({ body, headers }: Response): boolean =>
  body !== null && headers.get('content-type')?.startsWith('text/event-stream') === true

/** The same stream, with an action for when it ends, fails or is no longer read. */
function endingWith(body: ReadableStream<Uint8Array> | null, end: () => void): ReadableStream<Uint8Array> | null {
  const reader = body?.getReader()
  if (!reader) return null
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        end()
        controller.close()
      } catch (error) {
        end()
        controller.error(error)
      }
    },
    cancel(why) {
      end()
      return reader.cancel(why)
    },
  })
}

/** A body without a declared length counts with the maximum. */
export async function beginReading(c: Ctx, limit: number, read: 'once' | 'twice' = 'once'): Promise<void> {
  if (c.get('isInside')) return // in the turn of its own request: the holder of a turn never waits for another
  const type = mediaType(c)
  const weight = weightOf(type, Math.min(lengthOf(c) || limit, limit))
  if (weight > 0) c.set('turn', await turnFor(read === 'twice' ? 2 * weight : weight, isDeep(type)))
}

/** Doing it twice is harmless. */
export function endReading(c: Ctx): void {
  c.get('turn')?.leave()
  c.set('turn', undefined)
  forgetBody(c)
}

/** The texts have been read. While bytes of files are held, the turn goes on: they are in memory until the object has them. */
export function endReadingOf(c: Ctx, documents: readonly { readonly file?: unknown }[]): void {
  if (!documents.some(({ file }) => file !== undefined)) endReading(c)
}

/** It has been parsed: from here on only its content is held. */
export function forgetBody(c: Ctx): void {
  const bytes = c.get('bytes')
  if (bytes) releaseBytes(bytes)
  c.set('bytes', undefined)
}

/** A file inside a body: read in the body's turn or, if the body is small, in its own. */
export async function readBeside<T>(c: Ctx, type: string, length: number, work: () => Promise<T>): Promise<T> {
  const [turn, weight] = [c.get('turn'), weightOf(type, length)]
  if (!turn) return inTurn(weight, work, isDeep(type))
  return isDeep(type) ? deeper(turn, weight, work) : work()
}
