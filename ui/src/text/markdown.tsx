/**
 * Markdown as elements. Nothing in it is treated as HTML: a few tags that only format letters become elements without attributes
 * (`inline-tags`), any other is shown as plain letters; links lead to the web or nowhere, and pictures, which the page's policy would
 * block, are replaced by their descriptions.
 */
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked'
import type { ComponentChildren, VNode } from 'preact'
import { Decorated, type Inset, type Stretch } from './decorated'
import { FrontMatter, frontMatterOf } from './front-matter'
import { isBreak, paired, type Tagged } from './inline-tags'

interface Props {
  readonly source: string
  readonly stretches?: readonly Stretch[]
  readonly insets?: readonly Inset[]
  /** What is shown instead of some letters. */
  readonly show?: (text: string) => string
}

export function Markdown({ source, stretches = [], insets = [], show = (text) => text }: Props) {
  const text = new Decorated(source, stretches, insets)
  const front = frontMatterOf(source)
  const properties = front && FrontMatter({ fields: front.fields, text }) // before what follows it: its letters are counted first
  const shown = blocks(lexer(source.slice(front?.whole.length ?? 0)), { text, show: (raw) => show(decoded(raw)) })
  return (
    <div class="markdown">
      {properties}
      {shown}
      {text.rest()}
    </div>
  )
}

interface Writing {
  readonly text: Decorated
  readonly show: (raw: string) => string
}

function blocks(tokens: readonly Token[], writing: Writing): VNode[] {
  return (tokens as readonly MarkedToken[]).flatMap((token, at) => block(token, writing, at) ?? [])
}

function block(token: MarkedToken, writing: Writing, key: number): VNode | undefined {
  switch (token.type) {
    case 'heading': {
      const Heading = `h${Math.min(6, token.depth + 2)}` as 'h3' // below the page's own headings
      return (
        <Heading key={key} dir="auto">
          {line(token.tokens, writing)}
        </Heading>
      )
    }
    case 'paragraph':
      return (
        <p key={key} dir="auto">
          {line(token.tokens, writing)}
        </p>
      )
    case 'text':
      return <span key={key}>{line(token.tokens ?? [token], writing)}</span>
    case 'list':
      return list(token, writing, key)
    case 'blockquote':
      return <blockquote key={key}>{blocks(token.tokens, writing)}</blockquote>
    case 'table':
      return table(token, writing, key)
    case 'code':
      return (
        <pre key={key}>
          <code>{writing.text.part(token.text)}</code>
          {writing.text.close()}
        </pre>
      )
    case 'hr':
      return <hr key={key} />
    case 'html':
      return (
        <p key={key} class="raw">
          {writing.text.part(token.raw.trimEnd())}
          {writing.text.close()}
        </p>
      )
    default: // white space, definitions of links
      return undefined
  }
}

function list({ ordered, start, items }: Tokens.List, writing: Writing, key: number): VNode {
  const [only] = items
  if (ordered && only && items.length === 1) return numbered(only, writing, key)
  const rows = items.map((item, at) => (
    <li key={at} dir="auto">
      {item.task && <span>{item.checked ? '☑ ' : '☐ '}</span>}
      {blocks(item.tokens, writing)}
    </li>
  ))
  return ordered ? (
    <ol key={key} start={Number(start) || 1}>
      {rows}
    </ol>
  ) : (
    <ul key={key}>{rows}</ul>
  )
}

/** “1887. Then the lamp was lit.” is not a list: it begins with a number. */
function numbered({ raw, tokens }: Tokens.ListItem, writing: Writing, key: number): VNode {
  return (
    <div key={key} dir="auto">
      {writing.text.part(/^\s*\d+[.)]/.exec(raw)?.[0] ?? '')} {blocks(tokens, writing)}
    </div>
  )
}

function table({ header, rows }: Tokens.Table, writing: Writing, key: number): VNode {
  const head = header.map((cell, at) => (
    <th key={at} scope="col" dir="auto">
      {line(cell.tokens, writing)}
    </th>
  ))
  const body = rows.map((row, number) => (
    <tr key={number}>
      {row.map((cell, at) => (
        <td key={at} dir="auto">
          {line(cell.tokens, writing)}
        </td>
      ))}
    </tr>
  ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section key={key} class="table" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{body}</tbody>
      </table>
    </section>
  )
}

function line(tokens: readonly Token[], writing: Writing): ComponentChildren[] {
  return [...inlines(tokens, writing), ...writing.text.close()]
}

function inlines(tokens: readonly Token[], writing: Writing): ComponentChildren[] {
  return nested(paired(tokens), writing)
}

function nested(tokens: readonly (Token | Tagged)[], writing: Writing): ComponentChildren[] {
  return (tokens as readonly (MarkedToken | Tagged)[]).flatMap((token, at): ComponentChildren[] => inline(token, writing, at))
}

function inline(token: MarkedToken | Tagged, writing: Writing, key: number): ComponentChildren[] {
  const { text, show } = writing
  switch (token.type) {
    case 'tagged':
      return [<token.tag key={key}>{nested(token.tokens, writing)}</token.tag>]
    case 'html':
      return isBreak(token) ? [<br key={key} />] : text.part(token.raw)
    case 'strong':
      return [<strong key={key}>{inlines(token.tokens, writing)}</strong>]
    case 'em':
      return [<em key={key}>{inlines(token.tokens, writing)}</em>]
    case 'del':
      return [<del key={key}>{inlines(token.tokens, writing)}</del>]
    case 'codespan':
      return [<code key={key}>{text.part(token.text)}</code>]
    case 'br':
      return [<br key={key} />]
    case 'escape':
      return text.part(token.text)
    case 'link':
      return isOfTheWeb(token.href)
        ? [
            <a key={key} href={token.href} target="_blank" rel="noreferrer noopener">
              {inlines(token.tokens, writing)}
            </a>,
          ]
        : inlines(token.tokens, writing)
    case 'image':
      return [
        <span key={key} class="tag">
          {token.text === '' ? 'picture' : text.part(token.text)}
        </span>,
      ]
    case 'text':
      return 'tokens' in token && token.tokens ? inlines(token.tokens, writing) : text.part(token.raw, show)
    default:
      return text.part(token.raw)
  }
}

const isOfTheWeb = (href: string): boolean => /^(?:https?:|mailto:)/i.test(href)

/** `&amp;` and the like, one by one: the letters around them keep their offsets. */
function decoded(raw: string): string {
  return raw.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,31});/gi, (entity) => {
    const { body } = new DOMParser().parseFromString(entity, 'text/html')
    return body.textContent ?? entity
  })
}
