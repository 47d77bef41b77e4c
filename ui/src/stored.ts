/** What the browser keeps for the page, and under which names. */
export const KEY = 'loam-key'
export const THEME = 'loam-theme'
export const TURNS = 'loam-turns'
/** Begins the names under which the choices of a question are kept. */
export const CHOICES = 'loam-options-'

/** Storage may be switched off; then the page forgets when it is closed or reloaded. Switched off, even naming it throws. */
export function read(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(name)
  } catch {
    return null
  }
}
