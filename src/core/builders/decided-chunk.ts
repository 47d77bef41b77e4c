/** What a chunk mentions and relates once people's decisions are applied: things instead of names, without what is hidden. Pure. */
import { decisionLimits, type Meant, meantEntity, type Rule } from './decision-list'
import { byStrength, type Described, type Knowledge, type Related } from './knowledge-row'
import type { Mentioned } from './mention-list'
import { pairKey } from './said'

export interface DecidedMentions {
  readonly mentions: readonly Mentioned[]
  /** Entities that some mention does not stand for though its text says so. */
  readonly aside: ReadonlySet<string>
  readonly meant: (entity: string) => Meant
}

export type Rules = (entity: string) => Rule | undefined

export function decideMentions(said: readonly Mentioned[], rules: Rules, documents: () => ReadonlySet<string>): DecidedMentions {
  const known = new Map<string, Meant>()
  const meant = (entity: string): Meant => {
    const found = known.get(entity) ?? meantEntity(rules, entity, documents)
    known.set(entity, found)
    return found
  }
  const aside = new Set<string>()
  const byEntity = new Map<string, Mentioned[]>()
  for (const one of said) {
    const { entity, via } = meant(one.entity)
    for (const id of via) aside.add(id)
    if (entity === null) continue
    const moved = via.length === 0 ? one : { ...one, entity, key: '' }
    byEntity.set(entity, [...(byEntity.get(entity) ?? []), moved])
  }
  const mentions = [...byEntity.values()].flatMap((all) => (all.length === 1 ? all : [together(all)]))
  return { mentions: mentions.sort((a, b) => (a.entity < b.entity ? -1 : 1)), aside, meant }
}

/** Two names of one thing in one chunk. */
function together(all: readonly Mentioned[]): Mentioned {
  const surfaces = new Map<string, number>()
  for (const [surface, times] of all.flatMap((one) => one.surfaces)) surfaces.set(surface, (surfaces.get(surface) ?? 0) + times)
  return {
    entity: all[0]?.entity ?? '',
    key: all.find((one) => one.key !== '')?.key ?? '',
    units: [...new Set(all.flatMap((one) => one.units))].sort((a, b) => a - b),
    surfaces: [...surfaces].sort((a, b) => (a[0] < b[0] ? -1 : 1)),
  }
}

export interface DecidedKnowledge {
  readonly knowledge: Knowledge
  /** Pairs that were not to be related. */
  readonly aside: ReadonlySet<string>
}

export function decideKnowledge(said: Knowledge, rules: Rules, meant: (entity: string) => Meant): DecidedKnowledge {
  const aside = new Set<string>()
  const pairs = new Map<string, Related>()
  for (const one of said.relations) {
    const [source, target] = [meant(one.source).entity, meant(one.target).entity]
    if (source === null || target === null || source === target) continue
    const key = pairKey(source, target)
    if (rules(source)?.cut?.includes(target)) {
      aside.add(key)
      continue
    }
    const [first, second] = source < target ? [source, target] : [target, source]
    const known = pairs.get(key)
    const strength = one.strength + (known?.strength ?? 0)
    pairs.set(key, { ...(known ?? { ...one, ...kindMeant(one, meant) }), source: first, target: second, strength })
  }
  const entities = new Map<string, Described>()
  for (const one of said.entities) {
    const { entity } = meant(one.entity)
    if (entity === null) continue
    const known = entities.get(entity)
    const description = [known?.description, one.description].filter(Boolean).join(' ')
    const { type, outside } = known?.type ? known : one
    entities.set(entity, { entity, type, description, ...(outside ? { outside } : {}) })
  }
  const described = [...entities.values()].sort((a, b) => (a.entity < b.entity ? -1 : 1))
  return { knowledge: { ...said, entities: described, relations: byStrength([...pairs.values()]) }, aside }
}

function kindMeant({ kind }: Related, meant: (entity: string) => Meant): Pick<Related, 'kind'> {
  return kind ? { kind: { ...kind, subject: meant(kind.subject).entity ?? kind.subject } } : {}
}

/** Rules of a graph, each read once. */
export function rulesOnce(read: Rules): Rules {
  const known = new Map<string, Rule | undefined>()
  return (entity) => {
    if (!known.has(entity)) known.set(entity, read(entity))
    return known.get(entity)
  }
}

export const AT_ONCE = 32 * decisionLimits.steps // chunks written again in one commit; the rest follows in separate commits
