/** Objects of a bucket about which a message arrived: they are checked before the next listing. */
import type { ObjectNews } from '../../../src/ports/sources'
import type { Store } from '../store'
import { hasSourceFor, requestItems, type SourceRow } from '../tables/source'
import { countSourceItems, findSourceItem, hasItemFor, insertSourceItem, updateSourceItem } from '../tables/source-item'
import { optionsOf } from './collection'

/** Whatever a message says, the actual object is checked; an unknown object that is reported gone is ignored. */
export function noteObjects({ sql, now }: Store, row: SourceRow, objects: readonly ObjectNews[]): void {
  const at = now()
  let room = optionsOf(row).maxItems - countSourceItems(sql, row.id).known
  for (const { isGone, ...one } of objects) {
    const known = findSourceItem(sql, row.id, one.key)
    if (known) updateSourceItem(sql, { ...known, due: at })
    else if (!isGone && room > 0 && !hasItemFor(sql, one.document) && !hasSourceFor(sql, one.document)) {
      insertSourceItem(sql, row.id, row.round, one, at)
      room--
    }
  }
  if (row.status !== 'waiting' || row.due <= at) requestItems(sql, row.id, at)
}
