/**
 * What a strategy lets a question choose, by the names and bounds it declares. An option of another strategy is refused: passed over, it would
 * look as if it had been followed.
 */
import { z } from 'zod'
import { selectionOptions } from '../core/selection'
import { declarations } from '../core/strategies/index'
import { declarationOf, optionalStrategies, strategies } from '../core/strategies/registry'
import { exact } from './exact'
import { unknownNames } from './nearest'

/** Whatever the strategy. */
const ALWAYS = {
  rerank: z
    .union([z.boolean(), z.number().min(0).max(1)])
    .describe(
      '`false` leaves reranking out; a number from 0 to 1 is the share of a score that is the re-ranker’s, in place of the measured one.',
    ),
  select: z
    .enum(['score', 'rerank', 'model'])
    .describe(
      'Who chooses the evidence from what was found. `score`: the strategy’s own order. `rerank`: the re-ranker’s scores, blended with it; `auto` does so where it has proved to gain. `model`: the text model, in one call.',
    ),
  expand: z
    .enum(['none', 'decompose', 'hyde'])
    .describe(
      'What the text model makes of the question before it is looked up, in one call. `none`: nothing, the default. `decompose`: at most four parts, each looked up with the same options, all fused by reciprocal rank with what the question itself finds. `hyde`: a passage that might answer it, whose vector is averaged with the question’s; its words are searched for by nothing else.',
    ),
  max_per_document: selectionOptions.max_per_document.describe('Passages of one document among the evidence, at most.'),
  diversity: selectionOptions.diversity.describe(
    '0 to 1: how far a passage that says words of the question which none before it says comes forward, and what repeats one waits.',
  ),
  granularity: selectionOptions.granularity.describe(
    'How much of a document a piece of evidence is. `passage`: what was found, the default. `chunk`: the chunk of each. `document`: the document of each, once; of one that does not fit `token_budget`, as much around what was found as does.',
  ),
  neighbours: selectionOptions.neighbours.describe(
    'So many passages before and after each piece of evidence are given with it, as `context`, as far as `token_budget` goes.',
  ),
}

/** Those a question can be asked with. */
export const strategyNames: readonly string[] = [...strategies.keys()]

/** Those a corpus may switch on. */
export const systemNames: readonly string[] = optionalStrategies

/** Every option there is; which of them belong to the strategy that was asked for, `strayOptions` says. */
export const optionsSchema = exact(
  {
    rerank: ALWAYS.rerank.optional(),
    select: ALWAYS.select.optional(),
    expand: ALWAYS.expand.optional(),
    max_per_document: ALWAYS.max_per_document.optional(),
    diversity: ALWAYS.diversity.optional(),
    granularity: ALWAYS.granularity.optional(),
    neighbours: ALWAYS.neighbours.optional(),
    ...everyOption(),
  },
  declarations.flatMap((one) => one.removed?.options ?? []),
)

function everyOption(): { readonly [name: string]: z.ZodType } {
  const names = new Set(declarations.flatMap(({ options }) => Object.keys(options ?? {})))
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      anyOf(name)
        .optional()
        .describe(`Of ${ownersOf(name).join(' and ')}.`),
    ]),
  )
}

/** What the option may be for one of the strategies that have it; strategies may agree. */
function anyOf(name: string): z.ZodType {
  const schemas = declarations.flatMap(({ options }) => options?.[name] ?? [])
  const [first, ...others] = new Map(schemas.map((schema) => [meaningOf(schema), schema])).values()
  if (!first) throw new Error(`options: nobody has ${name}`)
  return others.length === 0 ? first : z.union([first, ...others])
}

/** Two lists of the same words are one schema, whatever their order. */
function meaningOf(schema: z.ZodType): string {
  return JSON.stringify(schema instanceof z.ZodEnum ? [...schema.options].sort() : z.toJSONSchema(schema))
}

function ownersOf(option: string): readonly string[] {
  return declarations.flatMap(({ name, options }) => (options && option in options ? [name] : []))
}

interface Stray {
  readonly name: string
  readonly message: string
}

/** Options that none of these strategies has, or that do not fit the one that has them. */
export function strayOptions(options: z.output<typeof optionsSchema>, asked: readonly string[]): readonly Stray[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (name in ALWAYS || value === undefined) return []
    const having = asked.filter((one) => ownersOf(name).includes(one))
    if (having.length === 0) return [{ name, message: strayText(name, asked) }]
    const fits = having.some((one) => declarationOf(one)?.options?.[name]?.safeParse(value).success)
    return fits ? [] : [{ name, message: `options.${name} does not fit ${having.join(' or ')}` }]
  })
}

function strayText(name: string, asked: readonly string[]): string {
  const known = [...Object.keys(ALWAYS), ...asked.flatMap((one) => Object.keys(declarationOf(one)?.options ?? {}))]
  const [sentence = ''] = unknownNames(['options'], [name], [...new Set(known)])
  return `${sentence.replace(' is unknown;', ` is an option of ${ownersOf(name).join(' and ')}, not of ${asked.join(' or ')};`)}`
}
