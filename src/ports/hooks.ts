/** Webhooks that come in. */
import type { Mapping, Preset, SignatureForm } from '../contract/hooks'

export interface HookRecord {
  readonly id: string
  /** Of its corpus. */
  readonly uid: string
  readonly preset: Preset
  readonly mapping: Mapping | null
  /** Of `hmac`. Absent: of the others. */
  readonly signature?: SignatureForm | null
  /** Newest first. Sealed; `until` (ms) ends the overlap of one that was replaced, null: in use. */
  readonly secrets: readonly { readonly sealed: string; readonly until: number | null }[]
  readonly created: number
  /** Of `github`: the source that looks at once when its branch is pushed to. Absent: none. */
  readonly source?: string | null
  /** Labels given to the documents it brings. Empty: none. */
  readonly access: readonly string[]
}

/** Webhooks that come in. */
export interface Hooks {
  /** Null also where its corpus is deleted. */
  hook(id: string): Promise<HookRecord | null>
  hooks(uid: string, after: string, limit: number): Promise<readonly HookRecord[]>
  /** False where its corpus is deleted. */
  add(record: HookRecord): Promise<boolean>
  rotate(id: string, secrets: HookRecord['secrets']): Promise<void>
  /** False if the corpus has no such hook. */
  remove(uid: string, id: string): Promise<boolean>
}
