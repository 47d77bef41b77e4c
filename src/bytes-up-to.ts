/** The bytes of a stream, so many at most. What is beyond them is dropped unread. */

/** `expected`: how many it says it has, so that they are held once. Null: there are more than `limit`. Rejects where the stream does; no stream is no bytes. */
export async function bytesUpTo(
  stream: ReadableStream<Uint8Array> | null | undefined,
  limit: number,
  expected = 0,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream?.getReader()
  let whole = new Uint8Array(Math.min(limit, expected))
  let size = 0
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) return size === whole.length ? whole : whole.slice(0, size)
    const { value } = next
    if (size + value.length > limit) {
      await reader?.cancel().catch(() => undefined)
      return null
    }
    if (size + value.length > whole.length) {
      const held = whole
      whole = new Uint8Array(Math.min(limit, Math.max(size + value.length, 2 * held.length)))
      whole.set(held.subarray(0, size))
    }
    whole.set(value, size)
    size += value.length
  }
}
