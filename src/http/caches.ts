/**
 * What an isolate remembers between requests: keys and corpora, for less than a minute, and beyond it only while D1 is down. A key
 * revoked elsewhere is refused within `KEYS` of it; a change made in this isolate is seen at once.
 */
import type { CorpusRecord } from '../ports/catalogue'
import type { KeyRecord } from '../ports/keys'
import { type Attempts, createAttempts } from './attempts'
import { createReadiness } from './readiness'

const KEYS = 30_000 // ms; revocation is promised within 60 s
const CORPORA = 10_000 // ms; only reads may see a corpus as it was
const MAX = 1000 // entries each: a stranger's guesses cannot fill the memory

export interface Fresh<T> {
  /**
   * Returned from memory if recent enough, otherwise fetched; the remembered value is also used if fetching fails. Absence is not
   * remembered.
   */
  of(name: string, now: number, ask: () => Promise<T | null>): Promise<T | null>
  /** The remembered value if recent enough, or nothing; nothing is fetched. */
  held(name: string, now: number): T | null
  /** Always fetched; the remembered value is used only if fetching fails. */
  anew(name: string, now: number, ask: () => Promise<T | null>): Promise<T | null>
  forget(name: string): void
  /** How many of the lookups since the last call found a recent enough value, and how many did not. */
  takeLooks(): { readonly hit: number; readonly miss: number }
}

export interface Caches {
  readonly keys: Fresh<KeyRecord>
  /** By name, or by uid for those whose keys name it. */
  readonly corpora: Fresh<CorpusRecord>
  readonly uses: Uses
  /** Of keys, and of events sent to webhooks. */
  readonly attempts: Attempts
  readonly hookAttempts: Attempts
  readonly ready: ReturnType<typeof createReadiness>
}

/** When a key's use was last noted by this isolate, in ms; 0: never. */
export interface Uses {
  last(id: string): number
  note(id: string, at: number): void
}

export function createCaches(): Caches {
  return {
    keys: fresh(KEYS, 'held'),
    corpora: fresh(CORPORA, 'of'),
    uses: createUses(),
    attempts: createAttempts(),
    hookAttempts: createAttempts(),
    ready: createReadiness(),
  }
}

function createUses(): Uses {
  const noted = new Map<string, number>()
  return {
    last: (id) => noted.get(id) ?? 0,
    note(id, at) {
      if (noted.size >= MAX) noted.clear() // the database does not write twice either
      noted.set(id, at)
    },
  }
}

/** `looks`: the call that its users make first. */
function fresh<T>(life: number, looks: 'of' | 'held'): Fresh<T> {
  let tally = { hit: 0, miss: 0 }
  const look = (call: 'of' | 'held', found: boolean): void => {
    if (call === looks) tally[found ? 'hit' : 'miss']++
  }
  const known = new Map<string, { readonly value: T; readonly at: number }>()
  const anew: Fresh<T>['anew'] = async (name, now, ask) => {
    const held = known.get(name)
    try {
      const value = await ask()
      known.delete(name)
      if (value === null) return null
      if (known.size >= MAX) known.delete(known.keys().next().value ?? '')
      known.set(name, { value, at: now })
      return value
    } catch (error) {
      if (held) return held.value
      throw error
    }
  }
  return {
    anew,
    held(name, now) {
      const one = known.get(name)
      const isYoung = one !== undefined && now - one.at < life
      look('held', isYoung)
      return isYoung ? one.value : null
    },
    async of(name, now, ask) {
      const held = known.get(name)
      const isYoung = held !== undefined && now - held.at < life
      look('of', isYoung)
      return isYoung ? held.value : anew(name, now, ask)
    },
    forget(name) {
      known.delete(name)
    },
    takeLooks() {
      const taken = tally
      tally = { hit: 0, miss: 0 }
      return taken
    },
  }
}
