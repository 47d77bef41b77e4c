/** The bytes of a stream, so many at most. What is beyond them is dropped unread. */

/** Null: there are more than `limit`. Rejects where the stream does; no stream is no bytes. */
export async function bytesUpTo(
  stream: ReadableStream<Uint8Array> | null | undefined,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = stream?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  for (;;) {
    const next = await reader?.read()
    if (!next || next.done) break
    size += next.value.length
    if (size > limit) {
      await reader?.cancel().catch(() => undefined)
      return null
    }
    parts.push(next.value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
