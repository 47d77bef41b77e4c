/** What the browser stores for the page, and under which names. */
export const KEY = 'loam-key'
export const THEME = 'loam-theme'
export const TURNS = 'loam-turns'
export const LEFT = 'loam-left'
/** Begins the names under which questions that a corpus answers are kept. */
export const EXAMPLES = 'loam-examples-'
/** Begins the names under which the choices of a question are kept. */
export const CHOICES = 'loam-options-'

/** Storage may be switched off; then the page forgets when it is closed or reloaded. If so, even naming it throws. */
export function read(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(name)
  } catch {
    return null
  }
}

/** `value` null: removes it. */
export function writeTo(storage: () => Storage, name: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(name)
    else storage().setItem(name, value)
  } catch {
    // there is no storage
  }
}
