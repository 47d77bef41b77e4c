/** A row of the read model that cannot hold its `data` says instead how many bytes it would have. The object has the data. */
import type { Json } from './core/graph/types'

export const omittedData = (bytes: number): Json => ({ omitted_bytes: bytes })

export function isOmitted(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'omitted_bytes' in data
}
