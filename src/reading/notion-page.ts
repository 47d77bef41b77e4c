/** A page from Notion's API, in Markdown: properties as a list, blocks in their order. Blocks without words (pictures, files, embeds) are named by their caption. */

type Fields = { readonly [name: string]: unknown }

export interface NotionBlock {
  readonly type: string
  readonly body: Fields
  readonly children: readonly NotionBlock[]
}

/** Blocks that only contain others. */
const HOLDERS: ReadonlySet<string> = new Set(['column_list', 'column', 'synced_block', 'tab'])
const HEADINGS: { readonly [type: string]: string } = { heading_1: '##', heading_2: '###', heading_3: '####', heading_4: '#####' }

export function notionMarkdown(title: string, properties: Fields, blocks: readonly NotionBlock[]): string {
  const said = Object.entries(properties).flatMap(([name, value]) => {
    const text = propertyText(fieldsOf(value))
    return text === '' ? [] : [`- ${name}: ${text}`]
  })
  return [`# ${title}`, ...(said.length > 0 ? [said.join('\n')] : []), ...paragraphs(blocks)].join('\n\n').trim()
}

/** The value of the property that names the page. */
export function notionTitle(properties: Fields): string {
  const found = Object.values(properties)
    .map(fieldsOf)
    .find(({ type }) => type === 'title')
  return plain(found?.title).trim()
}

/** Items of one list are on consecutive lines; everything else is separated by a blank line. */
function paragraphs(blocks: readonly NotionBlock[]): readonly string[] {
  const out: string[] = []
  let wasItem = false
  for (const block of blocks) {
    const text = blockText(block)
    if (text === '') continue
    const isItem = ITEMS.has(block.type)
    if (isItem && wasItem) out.push(`${out.pop()}\n${text}`)
    else out.push(text)
    wasItem = isItem
  }
  return out
}

const ITEMS: ReadonlySet<string> = new Set(['bulleted_list_item', 'numbered_list_item', 'to_do'])

function blockText({ type, body, children }: NotionBlock): string {
  if (HOLDERS.has(type)) return paragraphs(children).join('\n\n')
  if (type === 'table') return tableText(children)
  const text = ownText(type, body)
  const below = paragraphs(children)
  if (below.length === 0) return text
  const indented = below.join(ITEMS.has(type) ? '\n' : '\n\n')
  return ITEMS.has(type) ? `${text}\n${indented.replace(/^(?=.)/gm, '  ')}` : [text, indented].filter(Boolean).join('\n\n')
}

function ownText(type: string, body: Fields): string {
  const text = rich(body.rich_text)
  const heading = HEADINGS[type]
  if (heading !== undefined) return text === '' ? '' : `${heading} ${text.replace(/\n/g, ' ')}`
  switch (type) {
    case 'bulleted_list_item':
      return `- ${text}`
    case 'numbered_list_item':
      return `1. ${text}`
    case 'to_do':
      return `- [${body.checked === true ? 'x' : ' '}] ${text}`
    case 'quote':
    case 'callout':
      return text.replace(/^/gm, '> ')
    case 'code':
      return codeText(plain(body.rich_text), typeof body.language === 'string' ? body.language : '')
    case 'equation':
      return typeof body.expression === 'string' ? `$$${body.expression}$$` : ''
    case 'child_page':
    case 'child_database':
      return typeof body.title === 'string' ? body.title : ''
    case 'bookmark':
    case 'embed':
    case 'link_preview':
      return [rich(body.caption), typeof body.url === 'string' ? body.url : ''].filter(Boolean).join(': ')
    default:
      return text || rich(body.caption)
  }
}

/** The fence is longer than any in the code. */
function codeText(code: string, language: string): string {
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language.replace(/[^\w+#-]/g, '')}\n${code}\n${fence}`
}

function tableText(rows: readonly NotionBlock[]): string {
  const cells = rows.map(({ body }) =>
    (Array.isArray(body.cells) ? body.cells : []).map((cell) => rich(cell).replace(/\|/g, '\\|').replace(/\n/g, ' ')),
  )
  const [head, ...rest] = cells
  if (!head) return ''
  return [head, head.map(() => '---'), ...rest].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

function propertyText({ type, ...value }: Fields): string {
  const own = value[String(type)]
  switch (type) {
    case 'rich_text':
      return rich(own).replace(/\n/g, ' ')
    case 'number':
    case 'url':
    case 'email':
    case 'phone_number':
      return typeof own === 'string' || typeof own === 'number' ? String(own) : ''
    case 'checkbox':
      return own === true ? 'yes' : 'no'
    case 'select':
    case 'status':
      return nameOf(own)
    case 'multi_select':
    case 'people':
    case 'files':
      return listOf(own).map(nameOf).filter(Boolean).join(', ')
    case 'date': {
      const { start, end } = fieldsOf(own)
      return [start, end].filter((one) => typeof one === 'string').join(' – ')
    }
    case 'formula':
      return propertyText(fieldsOf(own))
    case 'string':
      return typeof own === 'string' ? own : ''
    case 'boolean':
      return typeof own === 'boolean' ? String(own) : ''
    default:
      return '' // relations and roll-ups repeat other pages; times belong to the item itself
  }
}

const nameOf = (value: unknown): string => {
  const { name } = fieldsOf(value)
  return typeof name === 'string' ? name : ''
}

/** Rich text with its links. */
function rich(value: unknown): string {
  return listOf(value)
    .map((one) => {
      const { plain_text: text, href } = fieldsOf(one)
      if (typeof text !== 'string') return ''
      return typeof href === 'string' && /^https?:\/\/[^\s()]+$/.test(href) && text.trim() !== '' ? `[${text}](${href})` : text
    })
    .join('')
}

function plain(value: unknown): string {
  return listOf(value)
    .map((one) => fieldsOf(one).plain_text)
    .filter((text) => typeof text === 'string')
    .join('')
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
