/** A Word document: headings by their styles, paragraphs, lists, tables and footnotes. Tracked deletions, comments and pictures are left out, as is a table of contents, which only repeats the headings. */

import type { ReadBounds } from '../bounds'
import type { ReadText } from '../html'
import { ownTitle } from '../own-title'
import { MarkdownWriter, oneLine, tooLong } from './markdown-writer'
import { attribute, firstText, type Handlers, readXml } from './xml'
import { type Parts, withParts } from './zip'

const PARTS = /^(word\/(document\d*|styles|footnotes|endnotes)|docProps\/core)\.xml$/
const SKIPPED = new Set(['Fallback', 'pPrChange', 'rPrChange', 'moveFrom', 'del', 'instrText', 'delText', 'rubyPr', 'rt'])
const MAX_CHAIN = 10 // styles based on one another

interface Paragraph {
  text: string
  style: string
  level: number | undefined
  list: number | undefined
  isRule: boolean
}

export const readDocx = (bytes: Uint8Array, bounds: ReadBounds): ReadText => withParts(bytes, (name) => PARTS.test(name), bounds, readParts)

function readParts(parts: Parts, bounds: ReadBounds): ReadText {
  const main = parts.names.find((name) => name.startsWith('word/document')) ?? 'word/document.xml'
  const styles = readStyles(parts.find('word/styles.xml'))
  const writer = new MarkdownWriter(bounds.text)
  let title = ownTitle(firstText(parts.find('docProps/core.xml'), 'title'))
  readBody(parts.read(main), bounds.text, {
    paragraph({ text, style, level: own, list }) {
      const known = styles(style)
      if (known.isContents) return
      const level = own ?? known.level
      if (level !== undefined) {
        if (title === '') title = oneLine(text)
        writer.heading(text, level)
      } else if (list !== undefined || known.isList) writer.item(text, list ?? 0)
      else writer.paragraph(text)
    },
    table: (rows) => writer.table(rows),
  })
  for (const notes of ['word/footnotes.xml', 'word/endnotes.xml']) {
    const xml = parts.find(notes)
    if (xml !== undefined)
      readBody(xml, bounds.text, {
        paragraph: ({ text, isRule }) => (isRule ? undefined : writer.paragraph(text)),
        table: (rows) => writer.table(rows),
      })
  }
  return { title, text: writer.text() }
}

interface Style {
  readonly level?: number | undefined
  readonly isList: boolean
  readonly isContents: boolean
}

/** By the id that paragraphs name. A style states its English name, whatever the language of Word. */
function readStyles(xml: string | undefined): (id: string) => Style {
  const found = new Map<string, { name: string; base: string; level: number | undefined; isList: boolean }>()
  let now = { name: '', base: '', level: undefined as number | undefined, isList: false }
  readXml(xml ?? '', {
    open(name, attributes) {
      const value = attribute(attributes, 'val') ?? ''
      if (name === 'style') {
        now = { name: '', base: '', level: undefined, isList: false }
        found.set(attribute(attributes, 'styleId') ?? '', now)
      } else if (name === 'name') now.name = value.toLowerCase()
      else if (name === 'basedOn') now.base = value
      else if (name === 'outlineLvl') now.level = levelOf(value)
      else if (name === 'numPr') now.isList = true
    },
  })
  return (id) => {
    let style = found.get(id)
    for (let step = 0; style && step < MAX_CHAIN; step++) {
      const heading = /^heading ([1-9])$/.exec(style.name)?.[1]
      const level = heading ? Number(heading) : style.name === 'title' ? 1 : style.level
      if (level !== undefined) return { level, isList: false, isContents: false }
      if (/^toc( heading| \d)/.test(style.name)) return { isList: false, isContents: true }
      if (/^list\b/.test(style.name) || style.isList) return { isList: true, isContents: false }
      style = found.get(style.base)
    }
    return { isList: false, isContents: false }
  }
}

/** 9 is body text. */
const levelOf = (value: string): number | undefined => (/^[0-8]$/.test(value) ? Number(value) + 1 : undefined)

interface Blocks {
  paragraph(paragraph: Paragraph): void
  table(rows: readonly (readonly string[])[]): void
}

function readBody(xml: string, maxText: number, blocks: Blocks): void {
  const paragraphs: Paragraph[] = [] // the open ones: text in a frame is inside a paragraph
  const tables: string[][][] = [] // rows of the open ones
  let [skipped, isText, isRule] = [0, false, false]
  const end = (paragraph: Paragraph): void => {
    const cell = tables.at(-1)?.at(-1)
    if (!cell) blocks.paragraph(paragraph)
    else if (cell.length > 0) cell.push(`${cell.pop() ?? ''} ${paragraph.text}`)
  }
  const handlers: Handlers = {
    open(name, attributes) {
      if (skipped > 0 || SKIPPED.has(name)) {
        skipped += 1
        return
      }
      const now = paragraphs.at(-1)
      const value = (): string => attribute(attributes, 'val') ?? ''
      if (name === 'p') paragraphs.push({ text: '', style: '', level: undefined, list: undefined, isRule })
      else if (name === 'tbl') tables.push([])
      else if (name === 'tr') tables.at(-1)?.push([])
      else if (name === 'tc') tables.at(-1)?.at(-1)?.push('')
      else if (name === 'footnote' || name === 'endnote') isRule = /separator/i.test(attribute(attributes, 'type') ?? '')
      else if (!now) return
      else if (name === 't') isText = true
      else if (name === 'tab') now.text += '\t'
      else if (name === 'br' || name === 'cr') now.text += '\n'
      else if (name === 'noBreakHyphen') now.text += '-'
      else if (name === 'pStyle') now.style = value()
      else if (name === 'outlineLvl') now.level = levelOf(value())
      else if (name === 'ilvl') now.list = Number(value()) || 0
      else if (name === 'numId') now.list = value() === '0' ? undefined : (now.list ?? 0)
    },
    text(text) {
      const now = paragraphs.at(-1)
      if (!isText || skipped > 0 || !now) return
      now.text += text
      if (now.text.length > maxText) throw tooLong()
    },
    close(name) {
      if (skipped > 0) {
        skipped -= 1
        return
      }
      if (name === 't') isText = false
      else if (name === 'p') {
        const now = paragraphs.pop()
        if (now) end(now)
      } else if (name === 'tbl') {
        const rows = tables.pop() ?? []
        const around = tables.at(-1)?.at(-1)
        if (!around) blocks.table(rows)
        else if (around.length > 0) around.push(`${around.pop() ?? ''} ${rows.map((row) => row.join(' ')).join(' ')}`)
      }
    },
  }
  readXml(xml, handlers)
}
