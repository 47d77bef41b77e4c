/** Rewrites chunks as people's decisions say, and entities as people want them shown. One path for what arrives and for a decision itself. */
import type { Draft } from '../graph/draft'
import type { GraphReader } from '../graph/reader'
import type { Change, GraphNode, Patch } from '../graph/types'
import { kindOf } from '../ids'
import { nameKey } from '../text/names'
import { keyWords, occurs, wordsOf } from '../text/occurrences'
import { countTokens } from '../text/tokens'
import { ALIASES, aliasPlace, otherKeys } from './aliases'
import { decideKnowledge, decideMentions, type Rules } from './decided-chunk'
import { calledBy, countedIn, type Rule } from './decision-list'
import { KNOWLEDGE, type Knowledge, knowledgeOf, packedKnowledge } from './knowledge-row'
import { type Mentioned, mentionsOf, packed } from './mention-list'
import { entityData, type Remention, remention, shownName } from './mentions'
import { type Rewritten, updateRelations } from './relations'
import { keepSaid, SAID_KNOWLEDGE, saidKnowledge, saidMentions } from './said'

/** Chunks whose lists other builders have just written, as the texts say them. */
export interface Fresh {
  readonly mentions: ReadonlySet<string>
  readonly knowledge: ReadonlySet<string>
}

export const NOTHING_FRESH: Fresh = { mentions: new Set(), knowledge: new Set() }

/** Under which name a pinned entity is set aside where a chunk would not list it but for the pin. */
export const pinOf = (entity: string): string => `+${entity}`

export function redecide(graph: GraphReader, chunks: Iterable<string>, rules: Rules, fresh: Fresh = NOTHING_FRESH): Change[] {
  const mentions: Remention[] = []
  const relations: Rewritten[] = []
  const rows: Change[] = []
  const pinned = pinnedNames(graph)
  for (const chunk of [...new Set(chunks)].sort()) {
    const before = mentionsOf(graph, chunk)
    const said = fresh.mentions.has(chunk) ? before : saidMentions(graph, chunk)
    const added = pinned.length > 0 ? pinnedIn(graph, chunk, said, pinned) : []
    const documents = once(() => new Set(graph.placements(chunk).map((place) => place.document)))
    const decided = decideMentions([...said, ...added], rules, documents)
    const after = decided.mentions
    if (JSON.stringify(packed(before)) !== JSON.stringify(packed(after))) mentions.push({ chunk, before, after })
    const now = knowledgeOf(graph, chunk)
    const known = fresh.knowledge.has(chunk) ? now : saidKnowledge(graph, chunk)
    const drawn = known && decideKnowledge(known, rules, decided.meant)
    const former = fresh.knowledge.has(chunk) && graph.value(SAID_KNOWLEDGE, chunk) !== undefined ? saidKnowledge(graph, chunk) : undefined
    const isMoved = drawn && now && JSON.stringify(packedKnowledge(drawn.knowledge)) !== JSON.stringify(packedKnowledge(now))
    if (drawn && now && (isMoved || former)) {
      rows.push({ op: 'put-value', space: KNOWLEDGE, key: chunk, value: packedKnowledge(drawn.knowledge) })
      relations.push({
        chunk,
        before: bothOf(now, former && decideKnowledge(former, rules, decided.meant).knowledge),
        after: drawn.knowledge,
      })
    }
    const isSaidOtherwise = known && drawn && JSON.stringify(packedKnowledge(known)) !== JSON.stringify(packedKnowledge(drawn.knowledge))
    const aside = new Set([...decided.aside, ...(drawn?.aside ?? []), ...added.map((one) => pinOf(one.entity))])
    rows.push(...keepSaid(graph, chunk, { said, aside, ...(isSaidOtherwise ? { known } : {}) }))
  }
  return [...remention(graph, mentions), ...rows, ...updateRelations(graph, relations)]
}

/** What may be in the graph of a chunk that was written in two steps. */
function bothOf(a: Knowledge, b: Knowledge | undefined): Knowledge {
  return b ? { ...a, relations: [...a.relations, ...b.relations] } : a
}

interface Pinned {
  readonly entity: string
  readonly key: string
  readonly surface: string
  readonly words: readonly string[]
}

function pinnedNames(graph: GraphReader): readonly Pinned[] {
  return countedIn(graph).pins.flatMap((entity): Pinned[] => {
    const node = graph.node(entity)
    const key = node ? entityData(node).key : ''
    const surface = node ? shownName(entity, Object.entries(entityData(node).aliases)) : ''
    return key === '' ? [] : [{ entity, key, surface, words: keyWords(key) }]
  })
}

/** Pinned names that a chunk says and does not list, because it says too many others. */
function pinnedIn(graph: GraphReader, id: string, said: readonly Mentioned[], pinned: readonly Pinned[]): readonly Mentioned[] {
  const chunk = graph.chunk(id)
  if (!chunk) return []
  const listed = new Set(said.map((one) => one.entity))
  const wanted = pinned.filter((one) => !listed.has(one.entity))
  if (wanted.length === 0) return []
  const units = chunk.units.map((unit) => wordsOf(chunk.text.slice(unit.start, unit.end)))
  return wanted.flatMap(({ entity, key, surface, words }): Mentioned[] => {
    const saying = units.flatMap((unit, i) => (occurs(unit, words) ? [i] : []))
    return saying.length === 0 ? [] : [{ entity, key, units: saying, surfaces: [[surface, saying.length]] }]
  })
}

/** Entities that these changes put or take away. */
export function entitiesIn(changes: Patch): Set<string> {
  return new Set(
    changes.flatMap((one) =>
      one.op === 'put-node' && one.node.kind === 'entity'
        ? [one.node.id]
        : one.op === 'drop-node' && kindOf(one.id) === 'entity'
          ? [one.id]
          : [],
    ),
  )
}

/** Shows these entities as people want it, and finds them under the name that people gave. */
export function decorate(draft: Draft, entities: Iterable<string>, rules: Rules, former: (id: string) => Rule | undefined = rules): void {
  for (const id of [...entities].sort()) {
    const [rule, before] = [rules(id), former(id)]
    const node = draft.node(id)
    const given = (one: Rule | undefined): string => nameKey(calledBy(one) ?? '')
    const own = node ? otherKeys(Object.keys(entityData(node).aliases), entityData(node).key) : new Set<string>()
    if (given(before) !== '' && !own.has(given(before))) draft.dropPlace(ALIASES, aliasPlace(given(before), id))
    if (!node) continue
    if (given(rule) !== '' && given(rule) !== entityData(node).key) draft.putPlace(ALIASES, aliasPlace(given(rule), id), id)
    const shown = asWanted(node, rule)
    if (shown !== node) draft.putNode(shown)
  }
}

/** `named`: true where the name was given to it, `brought` where it came with a merge: that one may be of texts that not everybody may read. */
function asWanted(node: GraphNode, rule: Rule | undefined): GraphNode {
  const { pinned, named, ...data } = node.data
  const called = calledBy(rule)
  if (!called && !rule?.pinned && pinned === undefined && named === undefined) return node
  const text = called ?? (named === undefined ? node.text : shownName(node.id, Object.entries(entityData(node).aliases)))
  const wanted = {
    ...data,
    ...(rule?.pinned ? { pinned: true } : {}),
    ...(called === undefined ? {} : { named: rule?.text === undefined ? 'brought' : true }),
  }
  return { ...node, text, tokens: countTokens(text), data: wanted }
}

/** Changes of builders put into a draft. */
export function applyToDraft(draft: Draft, changes: Patch): void {
  for (const one of changes) {
    if (one.op === 'put-node') draft.putNode(one.node)
    else if (one.op === 'drop-node') draft.dropNode(one.id)
    else if (one.op === 'put-edge') draft.putEdge(one.edge)
    else if (one.op === 'drop-edge') draft.dropEdge(one.kind, one.source, one.target)
    else if (one.op === 'put-value') draft.putValue(one.space, one.key, one.value)
    else if (one.op === 'drop-value') draft.dropValue(one.space, one.key)
    else if (one.op === 'put-place') draft.putPlace(one.space, one.key, one.id)
    else if (one.op === 'drop-place') draft.dropPlace(one.space, one.key)
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
