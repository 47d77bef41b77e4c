/** What new versions changed, over all partitions by time: each is asked for its entries after the last one returned, and the earliest are taken. */
import type { Asker } from '../../core/access/labels'
import { BEFORE_ALL, BEHIND_ALL, type ChangePlace, type ChangesFound, type ChangesRequest } from '../../ports/changes'
import { objectFor } from './documents'
import type { Divided } from './part'

export async function changes(parts: Divided['parts'], request: ChangesRequest, asker?: Asker): Promise<ChangesFound | null> {
  const { document, after, limit } = request
  if (document !== null) return objectFor(parts, document).changes(request, asker)
  const found = await Promise.all(parts.map((one, part) => one.changes({ ...request, after: after && behind(after, part) }, asker)))
  const rows = found.flatMap((one, part) => (one?.rows ?? []).map(({ place, change }) => ({ place: { ...place, part }, change })))
  rows.sort((a, b) => order(a.place, b.place))
  // A partition may have more entries after the place where it stopped: the others' later entries wait for the next page.
  const [horizon] = found.flatMap((one, part) => (one?.next ? [{ ...one.next, part }] : [])).sort(order)
  const sure = horizon ? rows.filter(({ place }) => order(place, horizon) <= 0) : rows
  const shown = sure.slice(0, limit)
  const next = sure.length > limit ? shown.at(-1)?.place : horizon
  return { rows: shown, next: next ?? null, days: Math.max(0, ...found.map((one) => one?.days ?? 0)) }
}

type PlaceInPart = ChangePlace & { readonly part: number }
const order = (a: PlaceInPart, b: PlaceInPart): number => b.at - a.at || a.part - b.part || b.n - a.n

function behind({ at, n, part = 0 }: ChangePlace, own: number): ChangePlace {
  return { at, n: own === part ? n : own > part ? BEFORE_ALL : BEHIND_ALL }
}
