/** What the browser stores for the page, and under which names. */
export const KEY = 'loam-key'
export const THEME = 'loam-theme'
export const TURNS = 'loam-turns'
export const LEFT = 'loam-left'
/** The prefix of the names under which questions that a corpus answers are stored. */
export const EXAMPLES = 'loam-examples-'
/** The prefix of the names under which a question's options are stored. */
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
