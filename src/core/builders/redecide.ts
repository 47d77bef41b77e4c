/** Rewrites chunks as people's decisions say, and entities as people want them shown. One path for what arrives and for a decision itself. */
import type { Draft } from '../graph/draft'
import type { GraphReader } from '../graph/reader'
import type { Change, GraphNode, Patch } from '../graph/types'
import { kindOf } from '../ids'
import { nameKey } from '../text/names'
import { countTokens } from '../text/tokens'
import { ALIASES, aliasPlace, otherKeys } from './aliases'
import { decideKnowledge, decideMentions, type Rules } from './decided-chunk'
import { type Added, calledBy, type Rule } from './decision-list'
import { byStrength, KNOWLEDGE, type Knowledge, knowledgeOf, packedKnowledge, relatedByUnits } from './knowledge-row'
import { type Mentioned, mentionsOf, packed } from './mention-list'
import { entityData, type Remention, remention, shownName } from './mentions'
import { type Rewritten, updateRelations } from './relations'
import { keepSaid, SAID_KNOWLEDGE, saidKnowledge, saidMentions } from './said'
import { namesWanted, wantedIn } from './wanted-names'

/** Chunks whose lists other builders have just written, as the texts say them. */
export interface Fresh {
  readonly mentions: ReadonlySet<string>
  readonly knowledge: ReadonlySet<string>
}

export const NOTHING_FRESH: Fresh = { mentions: new Set(), knowledge: new Set() }

/** Under which name an entity is set aside where a chunk lists it only because people pinned or added it. */
export const pinOf = (entity: string): string => `+${entity}`

export function redecide(graph: GraphReader, chunks: Iterable<string>, rules: Rules, fresh: Fresh = NOTHING_FRESH): Change[] {
  const mentions: Remention[] = []
  const relations: Rewritten[] = []
  const rows: Change[] = []
  const wanted = namesWanted(graph, rules)
  for (const chunk of [...new Set(chunks)].sort()) {
    const before = mentionsOf(graph, chunk)
    const said = fresh.mentions.has(chunk) ? before : saidMentions(graph, chunk)
    const documents = once(() => new Set(graph.placements(chunk).map((place) => place.document)))
    const added = wanted.length > 0 ? wantedIn(graph, chunk, { said, wanted, documents }) : []
    const related = (one: Knowledge, among: readonly Mentioned[]): Knowledge => withAdded(one, among, added, rules)
    const decided = decideMentions([...said, ...added], rules, documents)
    const after = decided.mentions
    if (JSON.stringify(packed(before)) !== JSON.stringify(packed(after))) mentions.push({ chunk, before, after })
    const now = knowledgeOf(graph, chunk)
    const known = fresh.knowledge.has(chunk) ? now : saidKnowledge(graph, chunk)
    const drawn = known && decideKnowledge(related(known, said), rules, decided.meant)
    const former = fresh.knowledge.has(chunk) && graph.value(SAID_KNOWLEDGE, chunk) !== undefined ? saidKnowledge(graph, chunk) : undefined
    const isMoved = drawn && now && JSON.stringify(packedKnowledge(drawn.knowledge)) !== JSON.stringify(packedKnowledge(now))
    if (drawn && now && (isMoved || former)) {
      rows.push({ op: 'put-value', space: KNOWLEDGE, key: chunk, value: packedKnowledge(drawn.knowledge) })
      relations.push({
        chunk,
        before: bothOf(now, former && decideKnowledge(related(former, saidMentions(graph, chunk)), rules, decided.meant).knowledge),
        after: drawn.knowledge,
      })
    }
    const isSaidOtherwise = known && drawn && JSON.stringify(packedKnowledge(known)) !== JSON.stringify(packedKnowledge(drawn.knowledge))
    const aside = new Set([...decided.aside, ...(drawn?.aside ?? []), ...added.map((one) => pinOf(one.entity))])
    rows.push(...keepSaid(graph, chunk, { said, aside, ...(isSaidOtherwise ? { known } : {}) }))
  }
  return [...remention(graph, mentions), ...rows, ...updateRelations(graph, relations)]
}

/** Where sentences relate the names of a chunk, also those that people added. */
function withAdded(known: Knowledge, said: readonly Mentioned[], listed: readonly Mentioned[], rules: Rules): Knowledge {
  const added = listed.filter(({ entity }) => rules(entity)?.added)
  if (added.length === 0 || (known.by !== 'units' && known.by !== 'unusable')) return known
  return { ...known, relations: byStrength([...known.relations, ...relatedByUnits(added, said)]) }
}

/** What may be in the graph of a chunk that was written in two steps. */
function bothOf(a: Knowledge, b: Knowledge | undefined): Knowledge {
  return b ? { ...a, relations: [...a.relations, ...b.relations] } : a
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
  const { pinned, named, people, ...data } = node.data
  const called = calledBy(rule)
  const isPlain = [pinned, named, people].every((one) => one === undefined)
  if (!called && !rule?.pinned && !rule?.added && isPlain) return node
  const text = called ?? (named === undefined ? node.text : shownName(node.id, Object.entries(entityData(node).aliases)))
  const wanted = {
    ...data,
    ...(rule?.pinned ? { pinned: true } : {}),
    ...(rule?.added ? { people: toldBy(rule.added) } : {}),
    ...(called === undefined ? {} : { named: rule?.text === undefined ? 'brought' : true }),
  }
  return { ...node, text, tokens: countTokens(text), data: wanted }
}

/** Who added it, and what they wrote about it. */
function toldBy({ n, type, description, by, at }: Added): { readonly [key: string]: string | number } {
  return { n, source: 'people', type, description, by, at }
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
