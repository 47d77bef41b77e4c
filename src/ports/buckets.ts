/** Buckets of objects: one bound to the Worker, or any that speaks S3. */

export interface StoredObject {
  readonly key: string
  /** Without quotes. It changes with the content. */
  readonly etag: string
}

export interface ObjectPage {
  /** Sorted by key, as bytes. */
  readonly objects: readonly StoredObject[]
  readonly isLast: boolean
}

/** `unchanged`: its tag is still the known one. */
export type ObjectRead =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'too_large' }
  /** `type`: as in a header; empty: none stated. */
  | { readonly kind: 'read'; readonly etag: string; readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }

/** Why it does not answer, in the words of `last_result`. */
export interface Unanswered {
  readonly kind: 'failed'
  readonly last: string
  readonly retryAfter?: number
}

/** Strongly consistent: it lists and returns the current objects. No call rejects. */
export interface Bucket {
  /** Keys that begin with `prefix` and come after `after`; null: from the first. At most 1,000. */
  list(prefix: string, after: string | null): Promise<ObjectPage | Unanswered>
  /** At most `limit` bytes. */
  read(key: string, known: string | null, limit: number): Promise<ObjectRead | Unanswered>
}

/** The buckets bound to the Worker, by name. */
export interface Buckets {
  readonly names: readonly string[]
  open(name: string): Bucket | null
}

/** Which sources are told of changes in a bucket. */
export interface BucketRoute {
  readonly bucket: string
  readonly prefix: string
  readonly uid: string
  readonly source: string
}

export interface BucketRoutes {
  /** The sources of a bucket, in all corpora that are not deleted. */
  of(bucket: string): Promise<readonly BucketRoute[]>
  /** Repeating it changes nothing. */
  put(route: BucketRoute): Promise<void>
  remove(uid: string, source: string): Promise<void>
}
