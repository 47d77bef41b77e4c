/** Where in a bucket a source's objects are, and the ids of documents from an archive among them. */
import { fingerprint } from '../core/ids'

export interface BucketPlace {
  readonly bucket: string
  readonly prefix: string
}

/** `r2://bucket/prefix`, `https://endpoint/bucket/prefix`. */
export function bucketPlace(kind: 'r2' | 's3', url: string): BucketPlace {
  const rest = kind === 'r2' ? url.replace(/^r2:\/\//, '') : decodeURI(new URL(url).pathname.slice(1))
  const slash = rest.indexOf('/')
  return slash < 0 ? { bucket: rest, prefix: '' } : { bucket: rest.slice(0, slash), prefix: rest.slice(slash + 1) }
}

const MAX_UNDER = 100 // characters

/** The prefix of the ids of an archive's documents, from the id that its own document would have. */
export const underOf = (document: string): string => (document.length <= MAX_UNDER ? document : `archive/${fingerprint(document)}`)
