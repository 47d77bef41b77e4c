/**
 * Gleaning (GraphRAG, used by ArchRAG): a model that has read a chunk is asked what it missed, a few times, and what it adds is checked like the first
 * reply. It ends when nothing new comes. An error here loses nothing: the first reply is kept.
 */
import type { Spent } from '../contract/usage'
import { mayBeBilled } from '../core/cost'
import type { Brief } from '../core/strategy'
import { countTokens } from '../core/text/tokens'
import type { Models } from '../ports/models'
import { writingBound } from './call-bounds'
import { faultOf } from './faults'
import { folded } from './occurs'
import { gleaningPrompt } from './prompts'
import { type Dropped, type ParsedExtraction, parseExtraction } from './replies'
import { writerFor } from './writers'

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

export interface Gleaned {
  readonly drawn: ParsedExtraction
  readonly spent: Spent
  /** What attempts of unknown outcome may have cost. */
  readonly lost: Spent
  readonly calls: number
}

type Extracting = Extract<Brief, { kind: 'extract' }>

/** Never rejects. `isCovered`: may a call be made that raises the cost of gleaning to this much? */
export async function glean(
  models: Models,
  brief: Extracting,
  first: ParsedExtraction,
  isCovered: (max: Spent) => Promise<boolean> = async () => true,
): Promise<Gleaned> {
  let [drawn, calls] = [first, 0]
  let spent = NOTHING
  let lost = spent
  const times = brief.want.graph ? (brief.gleanings ?? 0) : 0
  while (calls < times) {
    const { messages, tokens, schema } = gleaningPrompt(brief, JSON.stringify({ entities: drawn.entities, relations: drawn.relations }))
    const size = messages.reduce((sum, one) => sum + countTokens(one.content), tokens)
    if (size > (writerFor(models, 'extract')?.window ?? 0)) break
    const max = writingBound(models, messages, tokens, schema)()
    const mayRepeat = async (): Promise<boolean> => {
      if (!(await isCovered(plus(plus(spent, lost), plus(max, max))))) return false
      lost = plus(lost, max)
      return true
    }
    let unknown = max // what the current attempt may have cost, until that is known
    try {
      if (!(await isCovered(plus(plus(spent, lost), max)))) break
      calls++
      const reply = await models.write(messages, { tokens, schema, role: 'extract', mayRepeat })
      unknown = NOTHING
      spent = { in: spent.in + reply.spent.in, out: spent.out + reply.spent.out, embedded: 0 }
      const cut: Dropped = reply.truncated ? { truncated: 1 } : {}
      const more = added(drawn, parseExtraction(reply.text, { ...brief, want: { units: false, graph: true } }, drawn.entities))
      if (more === drawn) break
      drawn = { ...more, dropped: { ...more.dropped, ...cut } }
    } catch (error) {
      if (mayBeBilled(faultOf(error).fault)) lost = plus(lost, unknown)
      break
    }
  }
  return { drawn, spent, lost, calls }
}

function plus(a: Spent, b: Spent): Spent {
  return { in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded }
}

/** What was drawn from parts of one text. */
export function merged(parts: readonly ParsedExtraction[]): ParsedExtraction {
  const dropped: { [kind: string]: number } = {}
  for (const part of parts) for (const [kind, count] of Object.entries(part.dropped)) dropped[kind] = (dropped[kind] ?? 0) + count
  return {
    units: [...new Set(parts.flatMap((part) => part.units))],
    entities: [...new Map(parts.flatMap((part) => part.entities).map((one) => [folded(one.name), one])).values()],
    relations: parts.flatMap((part) => part.relations),
    dropped,
  }
}

/**
 * Returns the same value if nothing is new. Two entities that were already related get nothing added: a model asked for more repeats
 * itself.
 */
function added(before: ParsedExtraction, more: ParsedExtraction): ParsedExtraction {
  const known = new Set(before.entities.map((one) => folded(one.name)))
  const pairs = new Set(before.relations.map((one) => `${folded(one.source)} ${folded(one.target)}`))
  const entities = more.entities.filter((one) => !known.has(folded(one.name)))
  const relations = more.relations.filter((one) => !pairs.has(`${folded(one.source)} ${folded(one.target)}`))
  if (entities.length + relations.length === 0) return before
  const dropped: { [kind: string]: number } = { ...before.dropped }
  for (const [kind, count] of Object.entries(more.dropped)) dropped[kind] = (dropped[kind] ?? 0) + count
  return { ...before, entities: [...before.entities, ...entities], relations: [...before.relations, ...relations], dropped }
}
