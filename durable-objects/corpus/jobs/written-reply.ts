/** A known reply whose vectors come from another embedding model: its texts are embedded, and nothing is written again. */
import type { Vector } from '../../../src/core/graph/types'
import type { Reply } from '../../../src/core/strategy'

/** In the order in which `withVectors` wants their vectors. */
export function embeddedTextsOf(reply: Reply): readonly string[] {
  switch (reply.kind) {
    case 'summarize':
      return [reply.text]
    case 'report':
      return [`${reply.report.title}\n${reply.report.summary}`]
    case 'extract':
      return reply.extraction.units.map((one) => one.text)
    default:
      return []
  }
}

/** Undefined: their number differs from that of its texts. */
export function withVectors(reply: Reply, vectors: readonly Vector[]): Reply | undefined {
  const texts = embeddedTextsOf(reply)
  const [first] = vectors
  if (vectors.length !== texts.length) return undefined
  if (reply.kind === 'extract') {
    const units = reply.extraction.units.flatMap(({ text }, i) => (vectors[i] ? [{ text, vector: vectors[i] }] : []))
    return { ...reply, extraction: { ...reply.extraction, units } }
  }
  if ((reply.kind === 'summarize' || reply.kind === 'report') && first) return { ...reply, vector: first }
  return reply
}
