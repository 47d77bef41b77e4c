/** What ArchRAG asks of models: every chunk read for entities and relations, and a report on each community. */
import type { Bulk } from '../../estimate/bulk'
import type { Need, Work } from '../../estimate/need'
import { type Case, rates } from '../../estimate/rates'
import { embedding, sum, written } from '../../estimate/work'

export const need: Need = {
  read: () => 1,
  own: ({ bulk, bound, writes }) => (writes ? [communities(bulk, bound)] : []),
}

function communities(bulk: Bulk, bound: Case): Work {
  const reports = bulk.chunks * rates.communities[bound]
  const out = reports * rates.report[bound]
  return sum([written('report', { calls: reports, read: reports * rates.community[bound], out }, bound), embedding(out, reports)])
}
