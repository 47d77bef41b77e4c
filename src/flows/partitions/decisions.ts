/**
 * People's decisions about names in a corpus in partitions. Its own object makes them and tells every partition each of them, in order; what is
 * wanted is weighed by the texts of all partitions together.
 */
import type { DecisionView, Outcome, Wish } from '../../contract/decisions'
import type { Page } from '../../contract/pages'
import type { Asker } from '../../core/access/labels'
import type { Weighed } from '../../core/builders/decide'
import { shownName } from '../../core/builders/mentions'
import type { ListedNode } from '../../core/graph/listed'
import { partOf } from '../../core/joint/part-of'
import type { Actor } from '../../ports/audit'
import type { NamedHere } from '../../ports/deciding'
import type { CorpusObject } from '../../ports/object'
import { joinNodes } from './graph'
import type { Divided } from './part'

/** If a partition does not answer while it is weighed, nothing is decided. */
export async function decide({ whole, parts }: Divided, wish: Wish, asker?: Asker | Weighed, by?: Actor): Promise<Outcome> {
  const who = typeof asker === 'object' && 'present' in asker ? [] : asker
  const weighed = joinWeighed(await Promise.all(parts.map((part, i) => part.weigh(shareOf(wish, i, parts.length), who))))
  return told(whole, await whole.decide(wish, weighed, by))
}

export async function undecide({ whole }: Divided, n: number, by?: Actor): Promise<Outcome> {
  return told(whole, await whole.undecide(n, by))
}

/** Nothing is merged by similarity in partitions, so only people's merges are undone. */
export async function partEntities({ whole, parts }: Divided, a: string, b: string | null, by?: Actor): Promise<Outcome> {
  const outcome = await whole.partEntities(a, b, by)
  if (outcome.kind !== 'missing') return told(whole, outcome)
  const found = await Promise.all(parts.map((part) => part.weigh({ op: 'hide', entity: a }, 'all')))
  return found.some(({ present }) => present.length > 0) ? { kind: 'unchanged', n: null } : outcome
}

/** A partition that does not answer takes it later. */
async function told(whole: CorpusObject, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== 'done') return outcome
  const skipped = await whole.tellPartitions()
  return skipped.length > 0 ? { ...outcome, skipped } : outcome
}

function shareOf(wish: Wish, part: number, count: number): Wish {
  if (!('documents' in wish) || !wish.documents) return wish
  return { ...wish, documents: wish.documents.filter((id) => partOf(id, count) === part) }
}

function joinWeighed(all: readonly Weighed[]): Weighed {
  const each = (of: (one: Weighed) => readonly string[]): string[] => [...new Set(all.flatMap(of))]
  return {
    present: each((one) => one.present),
    visible: each((one) => one.visible),
    shownAs: each((one) => one.shownAs),
    unknown: each((one) => one.unknown),
    chunks: all.reduce((sum, { chunks }) => sum + chunks, 0),
    isSaid: all.some((one) => one.isSaid),
    isSaidThere: all.some((one) => one.isSaidThere),
    isShared: all.some((one) => one.isShared),
    isRelated: all.some((one) => one.isRelated),
    isTogether: all.some((one) => one.isTogether),
  }
}

/** Without those about entities that are named only in texts that the asker may not read. */
export async function decisions(
  { whole, parts }: Divided,
  cursor: string | null,
  limit: number,
  asker?: Asker,
): Promise<Page<DecisionView>> {
  const page = await whole.decisions(cursor, limit, 'all')
  const entities = [...new Set(page.data.flatMap(({ entity, other }) => [entity, ...(other === undefined ? [] : [other])]))]
  const documents = [...new Set(page.data.flatMap((one) => one.documents ?? []))]
  const here = entities.length > 0 ? await Promise.all(parts.map((part) => part.named({ entities, documents }, asker))) : []
  const names = new Map(entities.map((id) => [id, nameIn(here, id)]))
  const hidden = new Set(here.flatMap((one) => one.hidden))
  const data = page.data.flatMap((one): DecisionView[] => {
    const name = names.get(one.entity) ?? null
    const other = one.other === undefined ? '' : (names.get(one.other) ?? null)
    if (name === null || other === null) return []
    return [
      {
        ...one,
        name,
        ...(one.other === undefined ? {} : { other_name: other }),
        ...(one.documents ? { documents: one.documents.filter((id) => !hidden.has(id)) } : {}),
      },
    ]
  })
  return { data, next_cursor: page.next_cursor }
}

/** Empty if no text says it any more; null if none that the asker may read does. */
function nameIn(here: readonly NamedHere[], id: string): string | null {
  const found = here.map(({ written }) => written[id] ?? null)
  const times = new Map<string, number>()
  for (const [name, count] of found.flatMap((one) => one ?? [])) times.set(name, (times.get(name) ?? 0) + count)
  return times.size === 0 && found.includes(null) ? null : shownName(id, [...times])
}

export async function pinned({ parts }: Divided, asker?: Asker): Promise<readonly ListedNode[]> {
  const lists = await Promise.all(parts.map((part) => part.pinned(asker)))
  return joinNodes(lists, lists.flat().length)
}
