/** What is told to who watches over the corpus. */
import type { SeeingObject } from '../../../src/ports/seeing'
import type { CorpusHost } from '../host'
import { figures } from '../maintenance/figures'

export function seeingCalls(host: CorpusHost): SeeingObject {
  return {
    async figures() {
      if (host.isRestoring) return null
      const context = host.served()
      return context ? figures(context) : null
    },
  }
}
