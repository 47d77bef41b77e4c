/** What KET-RAG asks of models: vectors of sentences, and a share of the chunks read for the skeleton. */
import type { Need } from '../../estimate/need'
import { rates } from '../../estimate/rates'

export const need: Need = {
  sentences: true,
  read: (bound) => rates.ket[bound],
}
