/** A web page, or a part of one, as Markdown: headings, lists, emphasis and links stay; scripts, styles and navigation go. */
import TurndownService from 'turndown'

const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
service.escape = (text) => text // it is read and quoted, never rendered again
service.remove(['script', 'style', 'noscript', 'template', 'nav', 'iframe', 'object', 'select', 'button', 'title', 'head'])
service.addRule('pictures', { filter: ['img', 'picture', 'svg', 'video', 'audio'], replacement: () => '' })
service.addRule('links', { filter: 'a', replacement: (words) => words }) // an address is no text to be found by
service.addRule('cells', { filter: ['td', 'th'], replacement: (words) => `${words.trim().replace(/\s+/g, ' ')} | ` })
service.addRule('rows', { filter: 'tr', replacement: (words) => `\n${words.replace(/ \| *$/, '')}\n` })

export function html(text) {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]
  const found = markdownOf(text)
  return { text: found, ...(title?.trim() ? { title: markdownOf(title).replace(/\s+/g, ' ') } : {}) }
}

export const markdownOf = (text) => service.turndown(text).trim()
