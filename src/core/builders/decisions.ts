/**
 * Applies people's decisions: whatever other builders write about a chunk is changed as was decided, in the same commit. Only `decide` (decide.ts) makes
 * the rows of decisions, so a graph derived again with them is the same. For a corpus without decisions this costs one read per commit.
 */
import { draftOf } from '../graph/draft'
import type { GraphReader } from '../graph/reader'
import type { Change, Patch } from '../graph/types'
import type { Builder, Delta, Update } from '../strategy'
import { AT_ONCE, type Rules, rulesOnce } from './decided-chunk'
import { hasDecisions, ruleOf } from './decision-list'
import { KNOWLEDGE } from './knowledge-row'
import { MENTIONS } from './mention-list'
import { hasPeopleRelations, placeRelations } from './people-relations'
import { applyToDraft, decorate, entitiesIn, redecide } from './redecide'
import { chunksAside, keepSaid, NOTHING_KEPT } from './said'
import { addedName, nextSaying } from './wanted-names'

export const LEFT = 'decisions/left' // space; key = `edges`, `aside` or `said`, and whose; value = behind which place, or chunk, to go on
const PAGE = 500 // chunks read at a time where all are looked at
const NOTHING: Update = { patch: [], tasks: [] }

/** `writers`: builders that write mentions or relations. */
export const decisionsBuilder = (writers: readonly string[]): Builder => ({
  name: 'decisions',
  builds: [],
  follows: writers,
  update(graph, delta) {
    if (!hasDecisions(graph)) return NOTHING
    const changes = delta.changes ?? []
    const draft = draftOf(graph)
    for (const { chunk } of delta.removed) applyToDraft(draft, keepSaid(graph, chunk.id, NOTHING_KEPT))
    const fresh = { mentions: chunksOf(changes, MENTIONS), knowledge: chunksOf(changes, KNOWLEDGE) }
    const concerned = new Set([...fresh.mentions, ...fresh.knowledge, ...placed(graph, delta)])
    const rules = rulesOnce((id) => ruleOf(graph, id))
    const made = redecide(graph, concerned, rules, fresh)
    applyToDraft(draft, made)
    const touched = new Set([...entitiesIn(changes), ...entitiesIn(made)])
    decorate(draft, touched, rules)
    if (touched.size > 0 && hasPeopleRelations(graph)) applyToDraft(draft, placeRelations(draft, rules, { touched }))
    return { patch: draft.patch(), tasks: [] }
  },

  hasBacklog: (graph) => graph.values(LEFT, '', 1).length > 0,

  /** The next chunks of a decision that was about more than one commit takes. */
  processBacklog(graph) {
    const [row] = graph.values(LEFT, '', 1)
    if (!row) return NOTHING
    const [kind, what = ''] = row.key.split(' ')
    const draft = draftOf(graph)
    const from = typeof row.value === 'string' ? row.value : null
    const rules = rulesOnce((id) => ruleOf(graph, id))
    const isSaid = kind === 'said'
    const { chunks, after } = isSaid
      ? restSaying(graph, what, from ?? '', rules)
      : kind === 'edges'
        ? nextMentioning(graph, what)
        : nextAside(graph, what, from)
    const made = redecide(graph, chunks, rules)
    if (isSaid ? after === null : chunks.length < AT_ONCE || made.length === 0) draft.dropValue(LEFT, row.key)
    else if (after !== null) draft.putValue(LEFT, row.key, after)
    applyToDraft(draft, made)
    const touched = entitiesIn(made)
    decorate(draft, touched, rules)
    if (hasPeopleRelations(graph)) applyToDraft(draft, placeRelations(draft, rules, { touched }))
    return { patch: draft.patch(), tasks: [] }
  },
})

interface Next {
  readonly chunks: readonly string[]
  readonly after: string | null
}

/** All that mention it are to mention another, so the first that do are the next. */
export function nextMentioning(graph: GraphReader, entity: string): Next {
  return { chunks: graph.edgesTo('mentions', entity, AT_ONCE).map((edge) => edge.source), after: null }
}

function restSaying(graph: GraphReader, entity: string, from: string, rules: Rules): Next {
  const added = rules(entity)?.added
  return added ? nextSaying(graph, addedName(entity, added), from) : { chunks: [], after: null }
}

export function nextAside(graph: GraphReader, what: string, from: string | null): Next {
  const places = chunksAside(graph, what, from, AT_ONCE)
  return { chunks: places.map((place) => place.id), after: places.at(-1)?.key ?? null }
}

function chunksOf(changes: Patch, space: string): Set<string> {
  return new Set(changes.flatMap((one: Change) => (one.op === 'put-value' && one.space === space ? [one.key] : [])))
}

/** Chunks that stand in other documents than before: a split goes by documents. Where nothing is known of the changes, all. */
function* placed(graph: GraphReader, { changes, documents }: Delta): Generator<string> {
  for (const document of [...documents.added, ...documents.removed])
    for (const { chunk } of document.chunks) if (graph.chunk(chunk)) yield chunk
  if (changes) return
  for (let page = graph.page('chunk', '', PAGE); page.length > 0; page = graph.page('chunk', page.at(-1) ?? '', PAGE)) yield* page
}
