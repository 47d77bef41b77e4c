/** A file that a model describes or transcribes: covered before the model is asked, and charged by our own count. */
import type { OutlineEntry } from '../core/text/outline'
import { countTokens } from '../core/text/tokens'
import type { Conversion } from '../ports/conversion'
import type { CallOptions } from '../ports/models'
import type { CorpusObject, DescribingTerms } from '../ports/object'
import type { Prices } from '../ports/spending'
import { allowanceOf, type Keeping, type KeyKeeper, settle } from './allowance'
import { faultOf } from './faults'

export interface PayingDeps {
  readonly corpus: Pick<CorpusObject, 'describing' | 'reserve' | 'charge'>
  /** For a key with a daily limit. */
  key?(prices: Prices | undefined): KeyKeeper | undefined
  /** Runs in the background; the answer does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}

export type Unread = Extract<Conversion, { kind: 'unreadable' }>
export const unread = (why: Unread['why'], detail: string): Unread => ({ kind: 'unreadable', why, detail })

export interface Made {
  readonly text: string
  readonly outline: readonly OutlineEntry[]
  readonly calls: number
  /** Tokens it read, if that is only known afterwards. */
  readonly read?: number
}

export interface Wish {
  readonly stage: string
  /** Tokens, at most. */
  readonly most: { readonly in: number; readonly out: number }
  /** The message if it fails. */
  readonly words: { readonly [why in 'over_budget' | 'broken' | 'too_large' | 'unavailable']: string }
}

/** Null: this file cannot be converted. */
type Make = (mayRepeat: NonNullable<CallOptions['mayRepeat']>) => Promise<Made | null>

/** The keepers of the ceilings that apply to a file. */
export function keepingOf({ corpus, key, later }: PayingDeps, { budget, prices }: DescribingTerms): Keeping & Pick<PayingDeps, 'later'> {
  return { corpus, config: { budget, ...(prices ? { prices } : {}) }, key: key?.(prices), later }
}

export async function paidFor(deps: PayingDeps, terms: DescribingTerms, wish: Wish, make: Make): Promise<Conversion> {
  const { stage, most, words } = wish
  const keeping = keepingOf(deps, terms)
  const allowance = allowanceOf(keeping)
  try {
    const call = await allowance.begin(stage, () => ({ ...most, embedded: 0 }))
    if (!call) return unread('over_budget', words.over_budget)
    try {
      const made = await make(call.mayRepeat)
      call.paid({ in: made?.read ?? most.in, out: countTokens(made?.text ?? ''), embedded: 0 }, made?.calls ?? 1)
      return made ? { kind: 'converted', title: '', text: made.text, outline: made.outline } : unread('broken', words.broken)
    } catch (error) {
      call.failed(error)
      const { fault, retryAfter } = faultOf(error)
      if (fault === 'too_large') return unread('too_large', words.too_large)
      return { ...unread('unavailable', words.unavailable), ...(retryAfter === undefined ? {} : { retryAfter }) }
    }
  } finally {
    settle(keeping, allowance)
  }
}

export async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
