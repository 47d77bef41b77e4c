/**
 * What a strategy lets a question choose, with the names and bounds it declares. An option of another strategy is refused: if
 * ignored, it would seem to have been applied.
 */
import { z } from 'zod'
import { selectionOptions } from '../core/selection'
import { declarations } from '../core/strategies/index'
import { declarationOf, optionalStrategies, strategies } from '../core/strategies/registry'
import { type Period, periodFits } from './dates'
import { exact } from './exact'
import { unknownNames } from './nearest'

/** Whatever the strategy. */
const ALWAYS = {
  rerank: z
    .union([z.boolean(), z.number().min(0).max(1)])
    .describe('`false` turns reranking off. A number from 0 to 1 is the re-ranker’s share of a score, instead of the measured one.'),
  select: z
    .enum(['score', 'rerank', 'model'])
    .describe(
      'What chooses the evidence. `score`: the strategy’s own order. `rerank`: the re-ranker’s scores, blended with it; `auto` does this where it has measured a gain. `model`: the text model, in one call.',
    ),
  expand: z
    .enum(['none', 'decompose', 'hyde'])
    .describe(
      'How the text model expands the question before the search, in one call. `none`, the default: not at all. `decompose`: into at most four parts, each searched for with the same options; their results are fused with the question’s own by reciprocal rank. `hyde`: into a passage that might answer it, whose vector is averaged with the question’s; its words are not searched for.',
    ),
  max_per_document: selectionOptions.max_per_document.describe('The most passages of one document among the evidence.'),
  diversity: selectionOptions.diversity.describe(
    '0 to 1: how strongly passages that cover new words of the question move up, and passages that repeat earlier ones move down.',
  ),
  granularity: selectionOptions.granularity.describe(
    'How much of a document a piece of evidence is. `passage`, the default: what was found. `chunk`: its whole chunk. `document`: its whole document, once; if that exceeds `token_budget`, as much around the passage as fits.',
  ),
  neighbours: selectionOptions.neighbours.describe(
    'How many passages before and after each piece of evidence are returned with it as `context`, as far as `token_budget` allows.',
  ),
}

/** Strategies that a question can be asked with. */
export const strategyNames: readonly string[] = [...strategies.keys()]

/** Strategies that a corpus may switch on. */
export const systemNames: readonly string[] = optionalStrategies

/** All options; `strayOptions` says which of them do not belong to the requested strategy. */
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
        .describe(`An option of ${ownersOf(name).join(' and ')}.`),
    ]),
  )
}

/** The possible values of the option in the strategies that have it; strategies may agree. */
function anyOf(name: string): z.ZodType {
  const schemas = declarations.flatMap(({ options }) => options?.[name] ?? [])
  const [first, ...others] = new Map(schemas.map((schema) => [meaningOf(schema), schema])).values()
  if (!first) throw new Error(`options: no strategy has ${name}`)
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

/** Options that none of these strategies has, or whose values do not fit the one that has them. */
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

export interface Asked extends Period {
  readonly options?: z.output<typeof optionsSchema> | undefined
  readonly strategy?: string | undefined
  readonly strategies?: readonly string[]
}

/** What only the whole of a question shows: options of another strategy, and a period that ends before it begins. */
export function optionsFit({ options = {}, strategy = 'auto', strategies = [strategy], ...period }: Asked, context: z.RefinementCtx): void {
  periodFits(period, context)
  for (const { name, message } of strayOptions(options, strategies)) context.addIssue({ code: 'custom', path: ['options', name], message })
}
