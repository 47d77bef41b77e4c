/** One page of a listing as S3 writes it (ListObjectsV2). Text in, data out. */
import type { ObjectPage, StoredObject } from '../ports/buckets'
import { readXml } from './office/xml'

const LONGEST = 1024 // bytes of a key, as S3 bounds them
const MAX = 1000 // objects on a page

/** Null: it is not such a listing. Throws if it is nested too deeply. */
export function readS3Listing(xml: string): ObjectPage | null {
  const objects: StoredObject[] = []
  const path: string[] = []
  let now = { Key: '', ETag: '' }
  let truncated = ''
  let root = ''
  readXml(xml, {
    open(name) {
      path.push(name)
      if (path.length === 1) root = name
      if (path.length === 2 && name === 'Contents') now = { Key: '', ETag: '' }
    },
    text(one) {
      const at = path.slice(1).join('/')
      if (at === 'IsTruncated') truncated += one
      if (at === 'Contents/Key') now.Key = (now.Key + one).slice(0, LONGEST + 1)
      if (at === 'Contents/ETag') now.ETag = (now.ETag + one).slice(0, 200)
    },
    close() {
      const name = path.pop()
      if (path.length !== 1 || name !== 'Contents' || now.Key === '') return
      if (objects.length < MAX) objects.push({ key: now.Key, etag: tagOf(now.ETag) })
    },
  })
  return root === 'ListBucketResult' ? { objects, isLast: truncated.trim() !== 'true' } : null
}

/** `"abc"` and `W/"abc"` are `abc`. */
export const tagOf = (etag: string): string => etag.trim().replace(/^W\//, '').replaceAll('"', '')
