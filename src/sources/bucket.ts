/**
 * The objects of a bucket, each as a document: listed a thousand at a time from where the last page ended, and identified by their tag, so
 * that an unchanged one is not read. Of a message only the object's name is used: whether it exists, and its content, is read from the
 * bucket.
 */

import { bucketPlace, underOf } from '../contract/bucket-place'
import { MAX_BATCH } from '../contract/document-limits'
import { mediaTypeByName } from '../contract/file-types'
import type { Bucket, Unanswered } from '../ports/buckets'
import type { DocumentInput } from '../ports/documents'
import type { ItemOrder, ItemsOrder, Listed, ListOrder, LookOutcome } from '../ports/sources'
import { isolateBounds } from '../reading/bounds'
import { asDocument } from '../reading/exports/exported'
import { Unreadable } from '../reading/unreadable'
import type { Kind } from './kind'
import { credentialOf, type Failed, failed, type Reader, resultOf, takeBytes } from './page'
import { isTaken } from './paths'
import { regionOf, s3, s3KeySchema } from './s3'
import { idOf } from './sitemap'

const OBJECT = 16 * 1024 * 1024 // bytes of one object
const UNPACKED = 4 * 1024 * 1024 // characters of an archive's documents, which are added together

type Order = Pick<ListOrder | ItemsOrder, 'source' | 'url' | 'options' | 'secrets'>

/** As both the listing and a message name an object. */
export function listedObject(kind: 'r2' | 's3', source: string, bucket: string, key: string, etag: string | null): Listed {
  return { key, document: idOf(source, `${kind}/${bucket}/${key}`), mark: etag, title: key.split('/').at(-1) ?? key, published: null }
}

function bucketKind(kind: 'r2' | 's3', open: (reader: Reader, order: Order) => Promise<Bucket | Failed>): Kind {
  return {
    pace: 0,

    async list(reader, order) {
      const bucket = await open(reader, order)
      if ('last' in bucket) return bucket
      const { bucket: name, prefix } = bucketPlace(kind, order.url)
      if (kind === 'r2' && order.cursor === null) await reader.route?.({ bucket: name, prefix, source: order.source })
      const page = await bucket.list(prefix, order.cursor)
      if ('last' in page) return failedBy(page)
      const wanted = page.objects.filter(({ key }) => !key.endsWith('/') && isTaken(order.options, key))
      const entries = wanted.slice(0, order.room).map(({ key, etag }) => listedObject(kind, order.source, name, key, etag))
      const isFull = entries.length === order.room && (wanted.length > order.room || !page.isLast)
      const next = page.isLast || isFull ? null : (page.objects.at(-1)?.key ?? null)
      return { kind: 'listed', entries, next, isComplete: page.isLast && !isFull }
    },

    async look(reader, order, item) {
      const bucket = await open(reader, order)
      if ('last' in bucket) return bucket
      const read = await bucket.read(item.key, item.known?.etag ?? null, OBJECT)
      switch (read.kind) {
        case 'failed':
          return failedBy(read)
        case 'too_large':
          return failed('too_large')
        case 'missing':
          return { kind: 'missing', last: 'no_object' }
        case 'unchanged':
          return { kind: 'unchanged', ...markOf(item.known?.etag) }
        case 'read':
          return take(reader, order, item, read)
      }
    },
  }

  async function take(
    reader: Reader,
    order: ItemsOrder,
    item: ItemOrder,
    { bytes, type, etag }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly type: string; readonly etag: string },
  ): Promise<LookOutcome> {
    const { bucket } = bucketPlace(kind, order.url)
    if (isArchive(item.key, type)) return unpack({ bytes, etag }, item, { ...order.metadata, bucket, archive: item.key })
    const metadata = { ...order.metadata, bucket, path: item.key }
    // The content type of an upload is often missing or generic; the name then decides.
    const given = { bytes, type: mediaTypeByName(item.key) ?? type, path: item.key, etag, modified: null }
    try {
      const taken = await takeBytes(reader, { ...item, url: null, metadata }, given)
      return taken.kind === 'fetched' || taken.kind === 'unchanged' ? { ...taken, ...markOf(etag) } : taken
    } catch {
      return failed('unreadable')
    }
  }
}

/**
 * An export of Slack or Notion, or a folder of GraphRAG or LightRAG, becomes as many documents as it contains, as through every other
 * route.
 */
async function unpack(
  { bytes, etag }: { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string },
  item: ItemOrder,
  metadata: DocumentInput['metadata'],
): Promise<LookOutcome> {
  const { readExport } = await import('../reading/exports/open-export')
  try {
    const found = (await readExport(bytes, isolateBounds)).documents.map((one) => asDocument(underOf(item.document), one))
    const documents = found.map((one) => ({ ...one, url: one.url ?? null, metadata: { ...one.metadata, ...metadata } }))
    const size = documents.reduce((sum, { text }) => sum + text.length, 0)
    if (documents.length > MAX_BATCH || size > UNPACKED) return failed('too_large')
    return { kind: 'unpacked', documents, etag, modified: null, hash: etag, ...markOf(etag) }
  } catch (error) {
    return failed(error instanceof Unreadable ? resultOf(error.why) : 'unreadable')
  }
}

const isArchive = (key: string, type: string): boolean => /\.zip$/i.test(key) || type === 'application/zip'

const markOf = (etag: string | null | undefined): { readonly mark?: string } => (etag ? { mark: etag } : {})
const failedBy = ({ last, retryAfter }: Unanswered): Failed => failed(last, retryAfter)

export const r2Kind: Kind = bucketKind('r2', async ({ buckets }, { url }) => {
  const { bucket } = bucketPlace('r2', url)
  return buckets?.open(bucket) ?? failed('no_bucket')
})

export const s3Kind: Kind = bucketKind('s3', async (reader, order) => {
  const secret = await credentialOf(reader, order)
  if (secret === null) return failed('no_credential')
  if (typeof secret !== 'string') return secret
  const { origin, host } = new URL(order.url)
  const { bucket } = bucketPlace('s3', order.url)
  const place = { address: `${origin}/${encodeURIComponent(bucket)}`, region: order.options.region ?? regionOf(host) }
  return s3(reader, place, s3KeySchema.parse(JSON.parse(secret)))
})
