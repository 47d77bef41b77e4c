/** Sources and their items as they are returned. */
import { everyOf } from '../../contract/sources'
import type { ItemRecord, SourceRecord } from '../../ports/sources'
import { isoTime, isoTimeOrNull } from '../iso-time'

export function view(record: SourceRecord) {
  const {
    id,
    kind,
    url,
    document,
    every,
    onGone,
    goneAfter,
    options,
    metadata,
    access,
    created,
    status,
    failures,
    last,
    items,
    credential,
  } = record
  return {
    source: id,
    kind,
    url,
    document: kind === 'page' ? document : null,
    every: everyOf(every),
    on_gone: onGone,
    gone_after: goneAfter,
    include: options.include,
    exclude: options.exclude,
    max_items: options.maxItems,
    content: options.content,
    ref: options.ref ?? null,
    region: options.region ?? null,
    credential,
    metadata,
    access: access ?? [],
    status,
    failures,
    last_result: last,
    items,
    seen_at: isoTimeOrNull(record.seen),
    changed_at: isoTimeOrNull(record.changed),
    next_fetch_at: isoTimeOrNull(record.due),
    created_at: isoTime(created),
  }
}

export function itemView({ item, document, status, failures, last, seen, due }: ItemRecord) {
  return { item, document, status, failures, last_result: last, seen_at: isoTimeOrNull(seen), next_fetch_at: isoTimeOrNull(due) }
}
