/** Another number of partitions, in place. */

import type { Actor } from '../../../src/ports/audit'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { MovingObject } from '../../../src/ports/repartition'
import { beginRepartition } from '../division/state'
import type { CorpusHost } from '../host'
import { isClosed } from '../maintenance/deletion'
import { hindrancesIn } from '../repartition/hindrances'
import { beginArriving, follow } from '../repartition/part'
import { sizeOf } from '../repartition/size'
import { metaKeys, readMeta } from '../tables/meta'

type Configure = (config: CorpusConfig, by?: Actor) => Promise<unknown>

export function repartitionCalls(host: CorpusHost, configure: Configure): MovingObject {
  return {
    async layout() {
      return readMeta(host.store.sql, metaKeys.layout) ?? null
    },

    async size() {
      const context = host.served()
      return context ? sizeOf(context) : null
    },

    async repartition(wish, by) {
      const context = host.served()
      if (!context) return { kind: 'gone' }
      return host.afterChange(beginRepartition(context, wish, by, (from) => hindrancesIn(context, from, wish.strategies)))
    },

    async move(order) {
      if (order.kind === 'begin') await configure(order.config)
      await host.waitForIntegration()
      if (order.kind === 'put' && order.documents.length > 0) await host.refreshStoreSizes()
      const { context } = host
      if (!context) return { kind: 'empty' }
      if (order.kind === 'begin') beginArriving(context, order)
      const answer = order.kind === 'begin' ? ({ kind: 'done' } as const) : follow(context, order)
      host.isClosed = isClosed(context)
      if (order.kind !== 'read' && order.kind !== 'rows' && order.kind !== 'state') await host.changed()
      return answer
    },
  }
}
