/**
 * One check of a source: its object gives the order, the Worker fetches and reports. Rejects only if the object does: the check is then
 * repeated.
 */
import type { OutboundObject } from '../ports/outbound'
import type { ItemsOrder, Looks, SourceOrder, SourceOutcome } from '../ports/sources'
import { r2Kind, s3Kind } from './bucket'
import { feed } from './feed'
import { github } from './github'
import type { Kind } from './kind'
import { notion } from './notion'
import { failed, fetchPage, type Reader } from './page'
import { sitemap } from './sitemap'
import { slack } from './slack'

const TIME = 120_000 // ms for the items of one check: an attempt counts as lost after five minutes
const CONTENT = 4 * 1024 * 1024 // characters, and bytes of files, in one report: the last item may exceed it
const PACE = 1000 // ms to pause a site for each item requested

const KINDS: { readonly [kind: string]: Kind } = { sitemap, feed, github, notion, slack, r2: r2Kind, s3: s3Kind }

/** Milliseconds until this message should be handled again; null: done (the schedule sends the next). */
export async function refetch(
  reader: Reader,
  corpus: Pick<OutboundObject, 'claimSource' | 'closeSource'>,
  id: string,
): Promise<number | null> {
  const order = await corpus.claimSource(id)
  if (order.kind === 'nothing') return null
  if (order.kind === 'wait') return order.ms
  await corpus.closeSource(id, order.attempt, await carryOut(reader, order))
  return null
}

async function carryOut(reader: Reader, order: SourceOrder): Promise<SourceOutcome> {
  if (order.task === 'page') return fetchPage(reader, order)
  const kind = KINDS[order.of]
  if (!kind) return failed('kind')
  return order.task === 'list' ? kind.list(reader, order) : lookAt(reader, kind, order)
}

/** One after another: a site never gets two requests for pages at once. */
async function lookAt(reader: Reader, kind: Kind, order: ItemsOrder): Promise<Looks> {
  const until = reader.now() + TIME
  const looks: Looks['looks'][number][] = []
  let content = 0
  for (const item of order.items) {
    const outcome = await kind.look(reader, order, item)
    if (outcome.kind === 'unpacked') {
      // It is reported alone: it may fill a report.
      if (looks.length === 0) looks.push({ key: item.key, outcome })
      break
    }
    looks.push({ key: item.key, outcome })
    if (outcome.kind === 'fetched') content += outcome.document.text.length + (outcome.document.file?.length ?? 0)
    if (content > CONTENT || reader.now() > until) break
    if (outcome.kind === 'failed' && SITE_WIDE.test(outcome.last)) break
  }
  const asked = looks.at(-1)?.outcome
  const wanted = asked?.kind === 'failed' && SITE_WIDE.test(asked.last) ? (asked.retryAfter ?? 0) : 0
  return { kind: 'looked', looks, pause: Math.max((kind.pace ?? PACE) * looks.length, wanted) }
}

/** Failures that the site's other pages would meet as well. */
const SITE_WIDE = /^(rate_limited|http_429|http_503|robots_unreachable|dns|timeout)$/
