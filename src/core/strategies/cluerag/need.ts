/** What Clue-RAG asks of models: vectors of sentences, and a share of the chunks restated as units. */
import type { Bulk } from '../../estimate/bulk'
import { extractionForm } from '../../estimate/form'
import type { Need, Work } from '../../estimate/need'
import { type Case, type Form, rates } from '../../estimate/rates'
import { embedding, sum, written } from '../../estimate/work'

export const need: Need = {
  sentences: true,
  own: ({ bulk, bound, settings, writes }) => (writes ? [restated(bulk, bound, extractionForm(settings))] : []),
}

function restated(bulk: Bulk, bound: Case, form: Form): Work {
  const share = rates.clue[bound]
  const out = bulk.tokens * share * rates.units[bound]
  const prompt = form === 'full' ? 'units' : 'unitsShort'
  const units = embedding(out, bulk.sentences * share)
  return sum([units, written('extract', { calls: bulk.chunks * share, read: bulk.tokens * share, out }, bound, { prompt })])
}
