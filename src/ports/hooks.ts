/** Incoming webhooks. */
import type { Mapping, Preset, SignatureForm } from '../contract/hooks'

export interface HookRecord {
  readonly id: string
  /** Its corpus's. */
  readonly uid: string
  readonly preset: Preset
  readonly mapping: Mapping | null
  /** Only for `hmac`. */
  readonly signature?: SignatureForm | null
  /** Newest first. Sealed; `until` (ms) ends the overlap of a replaced secret, null: in use. */
  readonly secrets: readonly { readonly sealed: string; readonly until: number | null }[]
  readonly created: number
  /** Only for `github`: the source that is checked at once when its branch is pushed to. Absent: none. */
  readonly source?: string | null
  /** Labels given to the documents it brings. Empty: none. */
  readonly access: readonly string[]
}

/** Incoming webhooks. */
export interface Hooks {
  /** Null also if its corpus is deleted. */
  hook(id: string): Promise<HookRecord | null>
  hooks(uid: string, after: string, limit: number): Promise<readonly HookRecord[]>
  /** False if its corpus is deleted. */
  add(record: HookRecord): Promise<boolean>
  rotate(id: string, secrets: HookRecord['secrets']): Promise<void>
  /** False if the corpus has no such hook. */
  remove(uid: string, id: string): Promise<boolean>
}
