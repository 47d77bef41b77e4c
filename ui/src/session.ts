/** Who is signed in, and which theme is used. The key is stored only in this tab (sessionStorage) and sent only to this origin. */
import { signal } from '@preact/signals'
import { CHOICES, EXAMPLES, KEY, read, THEME, TURNS, writeTo } from './stored'

export type Theme = 'auto' | 'light' | 'dark'

const LOCAL: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** What `npm start` prints; useless beyond the machine it runs on. */
export const localKey = LOCAL.has(location.hostname) ? 'local-development-key' : ''

/** For commands to copy: the local key as it is, any other as the name of a variable that contains it. */
export const keyOrName = (): string => (key.value && key.value === localKey ? key.value : '$LOAM_KEY')

/** Null: not signed in. Empty: reads public corpora without a key. */
export const key = signal<string | null>(read(() => sessionStorage, KEY))
export const theme = signal<Theme>(themeOf(read(() => localStorage, THEME)))

/** Principals to ask for, in place of the key's own; none: for oneself. */
export const asked = signal<readonly string[]>([])

export function signIn(entered: string): void {
  key.value = entered
  writeTo(() => sessionStorage, KEY, entered)
}

/** Why the visitor must sign in again; empty after signing out. */
export const reason = signal('')

export function signOut(why = ''): void {
  reason.value = why
  key.value = null
  writeTo(() => sessionStorage, KEY, null)
  forgetChoices()
}

/** How corpora were asked (ask/choices-text.ts) and what they answer (ask/proven-examples.ts) says what is in them; the next one at this browser is not told. */
function forgetChoices(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(CHOICES)) localStorage.removeItem(name)
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(EXAMPLES)) sessionStorage.removeItem(name)
  } catch {
    // nothing was kept
  }
}

export function choose(next: Theme): void {
  theme.value = next
  writeTo(() => localStorage, THEME, next === 'auto' ? null : next)
  if (next === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = next
}

function themeOf(kept: string | null): Theme {
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

/** What was asked and answered in this tab (ask/conversation.ts), by corpus. */
export function keptTurns<T>(): Readonly<Record<string, readonly T[]>> {
  try {
    return JSON.parse(read(() => sessionStorage, TURNS) ?? '{}')
  } catch {
    return {}
  }
}

export function keepTurns(turns: Readonly<Record<string, readonly unknown[]>>): void {
  const isEmpty = Object.values(turns).every((said) => said.length === 0)
  writeTo(() => sessionStorage, TURNS, isEmpty ? null : JSON.stringify(turns))
}
