/** A book: the chapters in the order its package (OPF) reads them. EPUB 2 and 3; a protected one cannot be read. */
import { posix } from 'node:path'
import { unzipSync } from 'fflate'
import { Parser } from 'htmlparser2'
import { decoded } from './decoded.mjs'
import { markdownOf } from './html.mjs'

const LARGEST = 300_000_000 // bytes unpacked: a small file may claim to be huge

export async function epub(bytes) {
  let total = 0
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!/\.(xml|opf|x?html?)$/i.test(name)) return false
      total += originalSize
      if (total > LARGEST) throw new Error('unpacks to more than 300 MB')
      return true
    },
  })
  const read = (path) => {
    if (!files[path]) throw new Error('is not an EPUB that can be read')
    return decoded(files[path])
  }
  const opf = elementsOf(read('META-INF/container.xml')).find(({ name }) => name === 'rootfile')?.attributes['full-path']
  const book = elementsOf(read(opf ?? ''))
  const places = new Map(book.filter(({ name }) => name === 'item').map(({ attributes }) => [attributes.id, attributes.href]))
  const chapters = book
    .filter(({ name, attributes }) => name === 'itemref' && attributes.linear !== 'no')
    .map(({ attributes }) => places.get(attributes.idref))
    .filter((href) => href !== undefined && /x?html?$/i.test(href))
    .map((href) => markdownOf(read(posix.join(posix.dirname(opf), decodeURIComponent(href)))))
  const title = book.find(({ name }) => name === 'dc:title')?.text.trim()
  return { text: chapters.filter(Boolean).join('\n\n'), ...(title ? { title } : {}) }
}

/** Elements in order, each with its attributes and the text directly in it. */
export function elementsOf(xml) {
  const elements = []
  const open = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, text: '' }
        elements.push(element)
        open.push(element)
      },
      ontext(text) {
        const element = open.at(-1)
        if (element) element.text += text
      },
      onclosetag: () => open.pop(),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return elements
}
