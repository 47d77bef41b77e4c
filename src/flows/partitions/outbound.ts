/**
 * What a partitioned corpus sends out and fetches. Endpoints are in its own object. A source of one page is in the partition of its document,
 * which takes in what is fetched and records it in one step.
 */

import { partOf } from '../../core/joint/part-of'
import type { OutboundObject } from '../../ports/outbound'
import { joinPages } from './joined-page'

export function partitionedOutbound(whole: OutboundObject, parts: readonly OutboundObject[]): OutboundObject {
  /** The partition that has a source; else any, which says that there is none. */
  const ownerOf = async (id: string): Promise<OutboundObject> => {
    const found = await Promise.all(parts.map((part) => part.source(id, 'all')))
    return parts[found.findIndex((one) => one !== null)] ?? whole
  }
  return {
    ...whole,
    async sources(cursor, limit, asker) {
      const pages = await Promise.all(parts.map((part) => part.sources(cursor, limit, asker)))
      return joinPages(pages, limit, ({ id }) => id)
    },
    source: async (id, asker) => (await ownerOf(id)).source(id, asker),
    addSource: async (input, by) => (parts[partOf(input.document, parts.length)] ?? whole).addSource(input, by),
    removeSource: async (id, documents, by) => (await ownerOf(id)).removeSource(id, documents, by),
    sourceItems: async (id, page, asker) => (await ownerOf(id)).sourceItems(id, page, asker),
    askSource: async (id, why, by) => (await ownerOf(id)).askSource(id, why, by),
  }
}
