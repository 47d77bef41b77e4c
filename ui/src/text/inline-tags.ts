/** The few HTML tags in Markdown that are shown as what they mean: those that only format letters, without attributes, and closed in the same line. */
import type { Token } from 'marked'

export const TAGS = ['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'kbd', 'code', 'abbr', 'cite', 'q'] as const
export type Tag = (typeof TAGS)[number]

/** What stands between a tag and its end. */
export interface Tagged {
  readonly type: 'tagged'
  readonly tag: Tag
  readonly tokens: readonly (Token | Tagged)[]
}

const DEEPEST = 12 // tags within tags; further ones stay letters
const BREAK = /^<br\s*\/?>$/i

export const isBreak = ({ type, raw }: Token): boolean => type === 'html' && BREAK.test(raw)

/** Pairs of tags as one; a tag without its other half stays as it is. */
export function paired(tokens: readonly Token[]): readonly (Token | Tagged)[] {
  const open: { readonly tag: Tag; readonly from: number; readonly token: Token }[] = []
  let shown: (Token | Tagged)[] = []
  for (const token of tokens) {
    const [, slash, name] = token.type === 'html' ? (/^<(\/?)([a-z]+)>$/i.exec(token.raw) ?? []) : []
    const tag = TAGS.find((one) => one === name?.toLowerCase())
    const last = open.at(-1)
    if (tag && slash && last?.tag === tag) {
      open.pop()
      const inner = shown.slice(last.from)
      shown = [...shown.slice(0, last.from), { type: 'tagged', tag, tokens: inner }]
      continue
    }
    if (tag && !slash && open.length < DEEPEST) {
      open.push({ tag, from: shown.length, token })
      continue
    }
    shown.push(token)
  }
  return withUnclosed(shown, open)
}

/** The tags that were never closed, back where they stood. */
function withUnclosed(
  shown: readonly (Token | Tagged)[],
  open: readonly { readonly from: number; readonly token: Token }[],
): readonly (Token | Tagged)[] {
  const all = [...shown]
  for (const { from, token } of [...open].reverse()) all.splice(from, 0, token)
  return all
}
