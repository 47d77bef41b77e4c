/** Buckets of objects: one bound to the Worker, or any that speaks S3. */

export interface StoredObject {
  readonly key: string
  /** Without quotes. Another content has another. */
  readonly etag: string
}

export interface ObjectPage {
  /** By key, as bytes. */
  readonly objects: readonly StoredObject[]
  readonly isLast: boolean
}

/** `unchanged`: it is the one with the known tag. */
export type ObjectRead =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'too_large' }
  /** `type`: as in a header; empty: it says none. */
  | { readonly kind: 'read'; readonly etag: string; readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }

/** Why it does not answer, as `last_result` says it. */
export interface Unanswered {
  readonly kind: 'failed'
  readonly last: string
  readonly retryAfter?: number
}

/** Strongly consistent: what it lists and gives is what is there. No call rejects. */
export interface Bucket {
  /** Those whose key begins with `prefix` and stands behind `after`; null: from the first. At most 1,000. */
  list(prefix: string, after: string | null): Promise<ObjectPage | Unanswered>
  /** At most `limit` bytes. */
  read(key: string, known: string | null, limit: number): Promise<ObjectRead | Unanswered>
}

/** Those bound to the Worker, by the bucket's name. */
export interface Buckets {
  readonly names: readonly string[]
  open(name: string): Bucket | null
}

/** Which source is told of changes in a bucket. */
export interface BucketRoute {
  readonly bucket: string
  readonly prefix: string
  readonly uid: string
  readonly source: string
}

export interface BucketRoutes {
  /** Those of a bucket, of all corpora that are not deleted. */
  of(bucket: string): Promise<readonly BucketRoute[]>
  /** Again is the same. */
  put(route: BucketRoute): Promise<void>
  remove(uid: string, source: string): Promise<void>
}
