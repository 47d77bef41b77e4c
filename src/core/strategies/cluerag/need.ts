/** What Clue-RAG asks of models: vectors of sentences, and a share of the chunks restated as units. */
import type { Bulk } from '../../estimate/bulk'
import type { Need, Work } from '../../estimate/need'
import { type Case, rates } from '../../estimate/rates'
import { embedding, sum, written } from '../../estimate/work'

export const need: Need = {
  sentences: true,
  own: ({ bulk, bound, writes }) => (writes ? [restated(bulk, bound)] : []),
}

function restated(bulk: Bulk, bound: Case): Work {
  const share = rates.clue[bound]
  const out = bulk.tokens * share * rates.units[bound]
  const units = embedding(out, bulk.sentences * share)
  return sum([units, written('extract', { calls: bulk.chunks * share, read: bulk.tokens * share, out }, bound, 'units')])
}
