/** What new versions changed, of all partitions by time: each is asked for what it has behind the last place given, and what comes first is taken. */
import type { Asker } from '../../core/access/labels'
import { BEFORE_ALL, BEHIND_ALL, type ChangePlace, type ChangesFound, type ChangesRequest } from '../../ports/changes'
import { objectFor } from './documents'
import type { Divided } from './part'

export async function changes(parts: Divided['parts'], request: ChangesRequest, asker?: Asker): Promise<ChangesFound | null> {
  const { document, after, limit } = request
  if (document !== null) return objectFor(parts, document).changes(request, asker)
  const found = await Promise.all(parts.map((one, part) => one.changes({ ...request, after: after && behind(after, part) }, asker)))
  const rows = found.flatMap((one, part) => (one?.rows ?? []).map(({ place, change }) => ({ place: { ...place, part }, change })))
  rows.sort(({ place: a }, { place: b }) => b.at - a.at || a.part - b.part || b.n - a.n)
  return { rows: rows.slice(0, limit), days: Math.max(0, ...found.map((one) => one?.days ?? 0)) }
}

function behind({ at, n, part = 0 }: ChangePlace, own: number): ChangePlace {
  return { at, n: own === part ? n : own > part ? BEFORE_ALL : BEHIND_ALL }
}
