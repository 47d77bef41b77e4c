/** Groups texts into calls: no more documents and bytes per call than the API accepts. */
const MAX_BATCH = 4 * 1024 * 1024 // bytes of text in one call, or one estimate
const MOST_DOCUMENTS = 1000 // in one batch

export interface Text {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** What the API accepts at a time. */
const bytesIn = (text: string): number => new TextEncoder().encode(text).length

export function* batches(texts: readonly Text[]): Generator<Text[]> {
  let batch: Text[] = []
  let size = 0
  // The same name twice in one drop: the last one counts.
  for (const one of new Map(texts.map((text) => [text.id, text])).values()) {
    if (batch.length === MOST_DOCUMENTS || (size + bytesIn(one.text) > MAX_BATCH && batch.length > 0)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(one)
    size += bytesIn(one.text)
  }
  if (batch.length > 0) yield batch
}
