/**
 * A mail: who wrote to whom and when, its text, and the names of its attachments. The subject becomes the title; a reply keeps the text it
 * quotes.
 */
import type { ReadBounds } from './bounds'
import { type ReadText, readHtml } from './html'
import { oneLine, tooLong } from './office/markdown-writer'
import { Unreadable } from './unreadable'

const MAX_NESTING = 20 // parts within parts
const MAX_HEADERS = 512 * 1024 // bytes

const MAX_PARTS = 5000 // lines that may separate parts: reading time grows with the square of their number

function countParts(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(0x2d); at >= 0 && count <= MAX_PARTS; at = bytes.indexOf(0x2d, at + 1)) {
    if (bytes[at + 1] === 0x2d && (at === 0 || bytes[at - 1] === 0x0a || bytes[at - 1] === 0x0d)) count++
  }
  return count
}

interface Address {
  readonly name?: string | undefined
  readonly address?: string | undefined
  readonly group?: readonly Address[] | undefined
}

export async function readMail(bytes: Uint8Array, bounds: ReadBounds): Promise<ReadText> {
  if (countParts(bytes) > MAX_PARTS) throw new Unreadable('too_large', 'This mail has more parts than can be read at once.')
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: MAX_NESTING, maxHeadersSize: MAX_HEADERS }).catch(() => {
    throw new Unreadable('broken', 'This mail is broken, or nested too deeply to be read.')
  })
  if (!mail.from && !mail.subject && !mail.date && !mail.to)
    throw new Unreadable('broken', 'This is not a mail: it has no sender, subject or date.')
  const body = (mail.text ?? '').trim() || (mail.html ? (readHtml(mail.html, bounds.text)?.text ?? '') : '')
  const head = [
    ['From', peopleIn(mail.from ? [mail.from] : [])],
    ['To', peopleIn(mail.to)],
    ['Cc', peopleIn(mail.cc)],
    ['Date', mail.date ?? ''],
    ['Subject', oneLine(mail.subject ?? '')],
    [
      'Attachments',
      mail.attachments
        .map(({ filename }) => oneLine(filename ?? ''))
        .filter((name) => name !== '')
        .join(', '),
    ],
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  const text = [head.join('\n'), body].filter((part) => part !== '').join('\n\n')
  if (text.length > bounds.text) throw tooLong()
  return { title: oneLine(mail.subject ?? ''), text }
}

function peopleIn(addresses: readonly Address[] | undefined): string {
  return (addresses ?? [])
    .flatMap((one) => one.group ?? [one])
    .map(({ name, address }) => oneLine(name && address ? `${name} <${address}>` : name || address || ''))
    .filter((one) => one !== '')
    .join(', ')
}
