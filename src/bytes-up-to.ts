/** The bytes of a stream, so many at most. What is beyond them is dropped unread. */

/**
 * `expected`: how many it says it has, so that they are held once. Null: there are more than `limit`. Rejects where the stream does; no stream is no bytes.
 * What has come is held until then, and no longer.
 */
export async function bytesUpTo(
  stream: ReadableStream<Uint8Array> | null | undefined,
  limit: number,
  expected = 0,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream?.getReader()
  let whole = new Uint8Array(Math.min(limit, expected))
  let size = 0
  try {
    for (;;) {
      const next = await reader?.read()
      if (!next || next.done) return size === whole.length ? whole : resized(whole, size)
      const { value } = next
      if (size + value.length > limit) {
        releaseBytes(whole)
        await reader?.cancel().catch(() => undefined)
        return null
      }
      if (size + value.length > whole.length) whole = resized(whole, Math.min(limit, Math.max(size + value.length, 2 * whole.length)))
      whole.set(value, size)
      size += value.length
    }
  } catch (error) {
    releaseBytes(whole)
    throw error
  }
}

/** Not beside a copy, where the runtime can do it in its place. */
const resized = (bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> => new Uint8Array(bytes.buffer.transfer(length))

/** Gives their memory back at once, where the runtime would do so some time after nobody has them: whoever still looks at them sees none. They fill their buffer. */
export function releaseBytes(bytes: Uint8Array<ArrayBuffer>): void {
  bytes.buffer.transfer(0)
}
