/** What a caller may choose for one question, over the corpus's settings. */
import { type Chosen, chosenOptions } from '../../chosen-options'
import type { Json } from '../../graph/types'
import { type KetSettings, ketSettings } from './settings'

const { theta, seeds, rank } = ketSettings.shape

export const ketOptions = { theta: theta.unwrap(), seeds: seeds.unwrap(), rank: rank.unwrap() }

export type KetOptions = Required<Chosen<typeof ketOptions>>

export function readOptions(own: { readonly [key: string]: Json }, settings: KetSettings): KetOptions {
  return { theta: settings.theta, seeds: settings.seeds, rank: settings.rank, ...chosenOptions(ketOptions, own) }
}
