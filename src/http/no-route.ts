/**
 * The answer for an unknown route: the methods that a path accepts, or the path that was probably meant. It names only routes, which
 * /openapi.json shows to anyone, never what a corpus contains.
 */
import { nearest } from '../contract/nearest'
import { operations } from '../contract/operations'
import { Problem } from './problem'

interface Known {
  readonly method: string
  readonly path: string
  readonly pieces: readonly string[]
}

const KNOWN: readonly Known[] = Object.values(operations).map(({ method, path }) => ({ method, path, pieces: path.split('/') }))

/** Names that other products use for parts of paths. */
const ELSEWHERE: { readonly [word: string]: string } = {
  answer: 'query',
  ask: 'query',
  chat: 'query',
  collections: 'corpora',
  corpus: 'corpora',
  docs: 'documents',
  files: 'documents',
  health: 'healthz',
  retrieve: 'search',
  tags: 'labels',
  webhooks: 'hooks',
}

/** `{corpus}`, `{document}:cancel` and the like stand for a piece; a corpus's name has no colon. */
function stands(piece: string, sent: string): boolean {
  const [, name, action] = /^\{(\w+)\}(.*)$/.exec(piece) ?? []
  if (name === undefined) return piece === sent
  return sent.length > (action?.length ?? 0) && sent.endsWith(action ?? '') && !(name === 'corpus' && action === '' && sent.includes(':'))
}

/** How many pieces differ from those sent; undefined: more than one, or another length. */
function strayIn({ pieces }: Known, sent: readonly string[]): number | undefined {
  if (pieces.length !== sent.length) return undefined
  const stray = pieces.flatMap((piece, at) => (stands(piece, sent[at] ?? '') ? [] : [at]))
  return stray.length === 1 ? stray[0] : undefined
}

/** For a piece with an action, only the action: `reindex` of `{corpus}:reindex`. */
function wordOf(piece: string): string {
  return piece.slice(piece.lastIndexOf(':') + 1)
}

function meant(sent: readonly string[], method: string): Known | undefined {
  const close = KNOWN.flatMap((one) => {
    const at = strayIn(one, sent)
    return at === undefined ? [] : [{ one, piece: wordOf(one.pieces[at] ?? ''), word: wordOf(sent[at] ?? '') }]
  }).sort((a, b) => Number(b.one.method === method) - Number(a.one.method === method))
  const sought = new Set(close.map(({ word }) => word))
  for (const word of sought) {
    const own = close.filter((one) => one.word === word)
    const known = own.map(({ piece }) => piece)
    const found = known.find((piece) => piece === ELSEWHERE[word]) ?? nearest(word, known)
    const hit = found === undefined ? undefined : own.find(({ piece }) => piece === found)
    if (hit) return hit.one
  }
  return undefined
}

/** For something new that is sent to a list: the route that creates one item. */
function maker(sent: readonly string[], method: string): Known | undefined {
  if (method !== 'POST') return undefined
  return KNOWN.find(
    ({ method: own, pieces }) =>
      own === 'PUT' &&
      pieces.length === sent.length + 1 &&
      /^\{\w+\}$/.test(pieces.at(-1) ?? '') &&
      sent.every((one, at) => stands(pieces[at] ?? '', one)),
  )
}

/** `path` as it was sent, percent-encoded. */
export function noRoute(method: string, path: string): Problem {
  const sent = path.split('/')
  const misspelt = method === 'POST' && (sent.at(-1) ?? '').includes(':') // an unknown action rather than an id with a colon
  const here = KNOWN.filter(({ pieces }) => pieces.length === sent.length && pieces.every((one, at) => stands(one, sent[at] ?? '')))
  const allowed = misspelt ? [] : [...new Set(here.map((one) => one.method))].sort()
  const other = maker(sent, method) ?? (allowed.length > 0 ? undefined : meant(sent, method))
  const hint = other && `did you mean ${other.method} ${other.path}?`
  if (allowed.length === 0)
    return new Problem('not_found', `There is no such route; ${hint ?? 'GET /openapi.json lists all routes, and /docs shows them.'}`)
  return new Problem('method_not_allowed', `This path accepts ${allowed.join(', ')}${hint ? `; ${hint}` : '.'}`, { allow: allowed })
}
