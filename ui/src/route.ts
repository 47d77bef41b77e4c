/** Which page is shown, kept behind the `#` so that every page is a link and the server needs to know none of them. */
import { computed, signal } from '@preact/signals'

export interface Route {
  /** Decoded pieces of the path: `#/c/notes/ask` is `['c', 'notes', 'ask']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

export const route = computed<Route>(() => parse(hash.value))

export function parse(text: string): Route {
  const [path = '', query = ''] = text.replace(/^#\/?/, '').split('?', 2)
  return { path: path.split('/').filter(Boolean).map(decodePart), query: new URLSearchParams(query) }
}

export function to(path: readonly string[], query: Readonly<Record<string, string | number | undefined>> = {}): string {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') asked.set(name, String(value))
  const search = asked.toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`
}

export function go(path: readonly string[], query?: Readonly<Record<string, string | number | undefined>>): void {
  location.hash = to(path, query)
}

function decodePart(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}
