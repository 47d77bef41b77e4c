/** What a caller may choose for one question, over the corpus' settings. Anything that is no such choice is passed over. */
import type { Json } from '../../graph/types'
import type { KetSettings } from './settings'

export type Choice = Pick<KetSettings, 'theta' | 'rank' | 'weighting'>

export function choice(own: { readonly [key: string]: Json }, settings: KetSettings): Choice {
  const { theta, rank, weighting } = own
  return {
    theta: typeof theta === 'number' && theta >= 0 && theta <= 1 ? theta : settings.theta,
    rank: rank === 'cosine' || rank === 'fused' ? rank : settings.rank,
    weighting: weighting === 'mean' || weighting === 'idf' ? weighting : settings.weighting,
  }
}
