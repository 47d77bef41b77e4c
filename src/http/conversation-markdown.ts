/** A kept conversation as Markdown. Text from documents is quoted: nothing in it begins a heading, a link or a tag. Pure. */
import type { Conversation, KeptTurn } from '../contract/conversations'

export function conversationAsMarkdown(corpus: string, { title, created_at: created, data }: Conversation): string {
  return [`# ${plain(title ?? 'Conversation')}`, `*${corpus}, ${created}*`, ...data.flatMap(turnLines), ''].join('\n\n')
}

const WITHHELD = {
  forgotten: '*Forgotten: a document it rests on was deleted.*',
  access: '*Withheld: it rests on a document that you may not see.*',
} as const

function turnLines({ question, answer, citations, withheld }: KeptTurn): string[] {
  const asked = `## ${plain(question ?? 'Forgotten')}`
  if (withheld !== null || answer === null) return [asked, WITHHELD[withheld ?? 'forgotten']]
  const sources = citations.map((one) => `- [${one.marker}] ${plain(one.title || one.document)}: “${plain(one.quote)}”`)
  return [asked, lines(answer), ...(sources.length > 0 ? [sources.join('\n')] : [])]
}

const MARKUP = /[\\`*_<>#|~!]|\](?=\()/g

/** On one line. */
const plain = (text: string): string => escaped(text.trim().replaceAll(/\s+/g, ' '))

/** Lines as they are. */
const lines = (text: string): string => text.trim().split('\n').map(escaped).join('\n')

const escaped = (text: string): string => text.replaceAll(MARKUP, (found) => `\\${found}`)
