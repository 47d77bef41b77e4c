/** A presentation: each slide under its title, with its texts as a list, its tables and its speaker notes. Hidden slides are left out. */

import type { OutlineEntry } from '../../core/text/outline'
import type { ReadBounds } from '../bounds'
import type { ReadText } from '../html'
import { ownTitle } from '../own-title'
import { MarkdownWriter, oneLine } from './markdown-writer'
import { attribute, firstText, prefixed, readXml, relationsIn, relationsPath } from './xml'
import { type Parts, resolvePath, withParts } from './zip'

const PARTS = /^(ppt\/(presentation\.xml|_rels\/.*|(slides|notesSlides)\/.*)|docProps\/core\.xml)$/
const TITLES = new Set(['title', 'ctrTitle'])
/** Placeholders with nothing about the slide's subject: date, slide number, footer. */
const MARGINS = new Set(['dt', 'sldNum', 'ftr', 'hdr', 'sldImg'])

export function readPptx(bytes: Uint8Array, bounds: ReadBounds): ReadText {
  const isWanted = (name: string) => PARTS.test(name) && /\.(xml|rels)$/.test(name)
  return withParts(bytes, isWanted, bounds, readParts)
}

function readParts(parts: Parts, bounds: ReadBounds): ReadText {
  const writer = new MarkdownWriter(bounds.text)
  const outline: OutlineEntry[] = []
  let title = ownTitle(firstText(parts.find('docProps/core.xml'), 'title'))
  for (const [i, path] of slidesOf(parts).entries()) {
    const xml = parts.find(path)
    if (xml === undefined) continue
    const slide = readSlide(xml)
    if (slide.isHidden) continue
    const start = writer.next
    const heading = slide.title || `Slide ${i + 1}`
    if (title === '') title = slide.title
    const notes = notesOf(parts, path)
    if (slide.title === '' && slide.blocks.length === 0 && notes.length === 0) continue
    outline.push({ start, slide: i + 1 })
    writer.heading(heading, 2)
    for (const block of slide.blocks) {
      if ('rows' in block) writer.table(block.rows)
      else writer.item(block.text, block.level)
    }
    if (notes.length > 0) writer.paragraph(`Notes: ${notes.join('\n')}`)
  }
  return { title, text: writer.text(), outline }
}

/** In the order in which they are shown. */
function slidesOf(parts: Parts): readonly string[] {
  const main = 'ppt/presentation.xml'
  const targets = new Map(relationsIn(parts.find(relationsPath(main))).map(({ id, target }) => [id, resolvePath(main, target)]))
  const paths: string[] = []
  readXml(parts.read(main), {
    open(name, attributes) {
      const path = name === 'sldId' ? targets.get(prefixed(attributes, 'id') ?? '') : undefined
      if (path !== undefined) paths.push(path)
    },
  })
  return paths
}

type Block = { readonly text: string; readonly level: number } | { readonly rows: string[][] }

interface Slide {
  title: string
  isHidden: boolean
  readonly blocks: Block[]
}

function readSlide(xml: string): Slide {
  const slide: Slide = { title: '', isHidden: false, blocks: [] }
  let [kind, text, level, isText] = ['', '', 0, false]
  let rows: string[][] | undefined
  readXml(xml, {
    open(name, attributes) {
      if (name === 'sld') slide.isHidden = /^(0|false)$/.test(attribute(attributes, 'show') ?? '')
      else if (name === 'sp' || name === 'graphicFrame') kind = ''
      else if (name === 'ph') kind = attributes.type ?? 'body'
      else if (name === 'tbl') rows = []
      else if (name === 'tr') rows?.push([])
      else if (name === 'tc') rows?.at(-1)?.push('')
      else if (name === 'p') [text, level] = ['', 0]
      else if (name === 'pPr') level = Number(attributes.lvl ?? 0) || 0
      else if (name === 't') isText = true
      else if (name === 'br') text += '\n'
    },
    text(one) {
      if (isText) text += one
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'p') {
        const line = oneLine(text)
        const cells = rows?.at(-1)
        if (line === '' || MARGINS.has(kind)) return
        if (cells && cells.length > 0) cells.push(`${cells.pop() ?? ''} ${line}`.trim())
        else if (TITLES.has(kind)) slide.title = `${slide.title} ${line}`.trim()
        else slide.blocks.push({ text: line, level })
        text = ''
      } else if (name === 'tbl' && rows) {
        slide.blocks.push({ rows })
        rows = undefined
      }
    },
  })
  return slide
}

function notesOf(parts: Parts, slide: string): readonly string[] {
  const relation = relationsIn(parts.find(relationsPath(slide))).find(({ type }) => type === 'notesSlide')
  const xml = relation && parts.find(resolvePath(slide, relation.target))
  return xml ? readSlide(xml).blocks.flatMap((block) => ('text' in block ? block.text : [])) : []
}
