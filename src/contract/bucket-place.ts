/** Where in a bucket a source's objects are. */
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
