/** What covers a whole corpus (health, receipts, probes) is refused to those who may read only part of it: the page does not ask for it. */
import type { Corpus } from '../../../src/client/client'

export const IN_PART = 'This covers the whole corpus, and your key may read only part of it.'

/** To those who may read only part, the service counts nothing but documents. */
export const seesWhole = ({ counts }: Pick<Corpus, 'counts'>): boolean => counts.chunks !== undefined
