/** Which part of a corpus has a document: by a hash of its id, so that it is found without searching. It never changes. */
import { sha256Words } from '../algorithms/sha256'

export function partOf(document: string, count: number): number {
  return ((sha256Words(document)[0] ?? 0) >>> 0) % count
}
