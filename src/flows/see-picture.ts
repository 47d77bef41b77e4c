/** One picture, as a model reads it: covered before the model is asked, charged by the usage it reports, with the reason if there is no text. */
import { OCR } from '../core/cost'
import type { WhyUnread } from '../core/text/outline'
import { visionLimits } from '../platform-limits'
import type { ScannedPicture, Seer } from '../ports/conversion'
import type { Allowance } from './allowance'
import { type Fault, faultOf } from './faults'
import { type Asked, instructionFor, judged } from './reading-prompt'

export interface Seeing {
  readonly seer: Seer
  readonly allowance: Allowance
  readonly signal?: AbortSignal
}

export type Seen =
  | { readonly kind: 'read'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'unread'; readonly why: WhyUnread; readonly fault?: Fault }

/** Never rejects because of the model. */
export async function seePicture({ seer, allowance, signal }: Seeing, picture: ScannedPicture, asked: Asked): Promise<Seen> {
  const { pictureTokens, promptTokens, replyTokens } = visionLimits
  const most = { in: pictureTokens + promptTokens, out: replyTokens + (seer.thinkingTokens ?? 0), embedded: 0 }
  const call = await allowance.begin(OCR, () => most)
  if (!call) return { kind: 'unread', why: 'over_budget' }
  const instruction = instructionFor(asked)
  try {
    const { mayRepeat } = call
    const { text, spent, truncated } = await seer.look(
      { instruction, picture, tokens: replyTokens },
      { mayRepeat, ...(signal ? { signal } : {}) },
    )
    call.paid(spent)
    const found = judged(text, truncated ?? false, instruction)
    return 'why' in found ? { kind: 'unread', ...found } : { kind: 'read', ...found }
  } catch (error) {
    call.failed(error)
    const fault = faultOf(error)
    const why = fault.fault === 'too_large' ? 'too_large' : fault.fault === 'invalid' ? 'broken' : 'unavailable'
    return { kind: 'unread', why, fault }
  }
}
