/** Which page is shown. */
import { computed, signal } from '@preact/signals'
import { parse, type Route } from './address'

export type { Route }

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

export const route = computed<Route>(() => parse(hash.value))

export function to(path: readonly string[], query: Readonly<Record<string, string | number | undefined>> = {}): string {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') asked.set(name, String(value))
  const search = asked.toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`
}

export function go(path: readonly string[], query?: Readonly<Record<string, string | number | undefined>>): void {
  location.hash = to(path, query)
}
