/** What an address of the page means: every view is after the `#`, so that it is a link and the server need not know any of them. */
export interface Route {
  /** Decoded pieces of the path: `#/c/notes/ask` is `['c', 'notes', 'ask']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

export function parse(text: string): Route {
  const [path = '', query = ''] = text.replace(/^#\/?/, '').split('?', 2)
  return { path: path.split('/').filter(Boolean).map(decodePart), query: new URLSearchParams(query) }
}

function decodePart(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}
