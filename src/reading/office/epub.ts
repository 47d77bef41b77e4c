/** An EPUB (2 or 3) as its chapters in reading order. A copy-protected one cannot be read. */
import type { ReadBounds } from '../bounds'
import { type ReadText, readHtml } from '../html'
import { Unreadable } from '../unreadable'
import { tooLong } from './markdown-writer'
import { firstText, readXml } from './xml'
import { broken, type Parts, resolvePath, withParts } from './zip'

const PARTS = /\.(xml|opf|x?html?)$/i

export const readEpub = (bytes: Uint8Array, bounds: ReadBounds): ReadText => withParts(bytes, (name) => PARTS.test(name), bounds, readParts)

function readParts(parts: Parts, bounds: ReadBounds): ReadText {
  if (parts.find('META-INF/encryption.xml')?.includes('xmlenc#aes'))
    throw new Unreadable('encrypted', 'This book is copy-protected and cannot be read.')
  const opf = packagePath(parts.read('META-INF/container.xml'))
  const book = parts.read(opf)
  const chapters: string[] = []
  let length = 0
  for (const href of spineOf(book)) {
    const page = parts.find(resolvePath(opf, decoded(href)))
    const read = page === undefined ? null : readHtml(page, bounds.text)
    if (!read || read.text === '') continue
    chapters.push(read.text)
    length += read.text.length + 2
    if (length > bounds.text) throw tooLong()
  }
  return { title: firstText(book, 'title'), text: chapters.join('\n\n') }
}

function packagePath(container: string): string {
  let path = ''
  readXml(container, {
    open(name, attributes) {
      if (name === 'rootfile' && path === '') path = attributes['full-path'] ?? ''
    },
  })
  if (path === '') throw broken()
  return path
}

function spineOf(book: string): readonly string[] {
  const places = new Map<string, string>()
  const order: string[] = []
  readXml(book, {
    open(name, { id = '', href = '', idref = '', linear }) {
      if (name === 'item') places.set(id, href)
      else if (name === 'itemref' && linear !== 'no') order.push(idref)
    },
  })
  return order.flatMap((id) => places.get(id) ?? []).filter((href) => /x?html?$/i.test(href))
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}
