/** An EPUB as its chapters in the order a reader reads them. EPUB 2 and 3; a protected one cannot be read. */
import { posix } from 'node:path'
import { unzipSync } from 'fflate'
import type { ReadText } from '../../src/reading/html'
import { decode } from './decode'
import { readPage } from './html'
import { readElements } from './xml'

const MAX_BYTES = 300_000_000 // unpacked: a small file may claim to be huge

export function readEpub(bytes: Uint8Array): ReadText {
  const files = unpack(bytes)
  const read = (path: string): string => {
    const file = files[path]
    if (!file) throw new Error('is not an EPUB that can be read')
    return decode(file)
  }
  const opf = readElements(read('META-INF/container.xml')).find(({ name }) => name === 'rootfile')?.attributes['full-path'] ?? ''
  const book = readElements(read(opf))
  const places = new Map(book.filter(({ name }) => name === 'item').map(({ attributes }) => [attributes.id, attributes.href]))
  const chapters = book
    .filter(({ name, attributes }) => name === 'itemref' && attributes.linear !== 'no')
    .map(({ attributes }) => places.get(attributes.idref))
    .filter((href) => href !== undefined && /x?html?$/i.test(href))
    .map((href = '') => readPage(read(posix.join(posix.dirname(opf), decodeURIComponent(href)))).text)
  const title = book.find(({ name }) => name === 'dc:title')?.text.trim() ?? ''
  return { text: chapters.filter(Boolean).join('\n\n'), title }
}

function unpack(bytes: Uint8Array): { readonly [path: string]: Uint8Array } {
  let total = 0
  return unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/\.(xml|opf|x?html?)$/i.test(name)) return false
      total += originalSize
      if (total > MAX_BYTES) throw new Error('unpacks to more than 300 MB')
      return true
    },
  })
}
