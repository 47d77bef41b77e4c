/**
 * What a strategy lets a question choose, by the names and bounds its own room reads them with (`src/core/strategies/<name>/options.ts`). An
 * option of another strategy is refused: passed over, it would look as if it had been followed.
 */
import { z } from 'zod'
import { exact } from './exact'
import { unknownNames } from './nearest'

const flag = z.boolean()
const share = z.number().min(0).max(1)
const weight = z.number().min(0).max(100)
const upTo = (max: number) => z.int().min(1).max(max)

/** Whatever the strategy. */
const ALWAYS = { rerank: flag.describe('`false` leaves reranking out.') }

const OWN = {
  auto: { overview: flag, dense: weight, paths: weight, links: weight },
  vector: {},
  keyword: {},
  hybrid: {},
  erarag: { mode: z.enum(['collapsed', 'detailed', 'summarised']), p: share, rank: z.enum(['fused', 'cosine']) },
  cluerag: {
    scorer: z.enum(['lexical', 'embedding', 'reranker']),
    fanout: upTo(10),
    depth: upTo(4),
    beam: upTo(20),
    passages: upTo(100),
    anchoring: flag,
    activation: flag,
    updating: flag,
    titles: flag,
  },
  ketrag: { theta: share, rank: z.enum(['cosine', 'fused']), weighting: z.enum(['mean', 'idf']) },
  archrag: {
    layers: z.enum(['all', 'single', 'entities']),
    filter: z.enum(['adaptive', 'relevance', 'direct', 'layers']),
    grounded: flag,
    k: upTo(100),
    ef: upTo(400),
    relations: upTo(100),
    around: flag,
    passages: flag,
  },
} as const

export const strategyNames = [
  'auto',
  'vector',
  'keyword',
  'hybrid',
  'erarag',
  'cluerag',
  'ketrag',
  'archrag',
] as const satisfies readonly (keyof typeof OWN)[]

export type StrategyName = (typeof strategyNames)[number]
const of = (...names: readonly StrategyName[]): string => `Of ${names.join(' and ')}.`

/** Every option there is; which of them belong to the strategy that was asked for, `strayOptions` says. */
export const optionsSchema = exact({
  rerank: ALWAYS.rerank.optional(),
  ...described('auto', OWN.auto),
  ...described('erarag', OWN.erarag),
  ...described('cluerag', OWN.cluerag),
  ...described('ketrag', OWN.ketrag),
  ...described('archrag', OWN.archrag),
  passages: z.union([OWN.cluerag.passages, OWN.archrag.passages]).optional().describe(of('cluerag', 'archrag')),
})

type Optional<T extends z.core.$ZodLooseShape> = { [K in keyof T]: z.ZodOptional<T[K]> }

function described<T extends Readonly<Record<string, z.ZodType>>>(strategy: StrategyName, shape: T): Optional<T> {
  return Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.optional().describe(of(strategy))])) as Optional<T>
}

interface Stray {
  readonly name: string
  readonly message: string
}

/** Options that none of these strategies has, or that do not fit the one that has them. */
export function strayOptions(options: z.output<typeof optionsSchema>, strategies: readonly StrategyName[]): readonly Stray[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (name in ALWAYS || value === undefined) return []
    const having = strategies.filter((one) => name in OWN[one])
    if (having.length === 0) return [{ name, message: strayText(name, strategies) }]
    const fits = having.some((one) => (OWN[one] as Readonly<Record<string, z.ZodType>>)[name]?.safeParse(value).success)
    return fits ? [] : [{ name, message: `options.${name} does not fit ${having.join(' or ')}` }]
  })
}

function strayText(name: string, strategies: readonly StrategyName[]): string {
  const owners = strategyNames.filter((one) => name in OWN[one])
  const known = [...Object.keys(ALWAYS), ...strategies.flatMap((one) => Object.keys(OWN[one]))]
  const [sentence = ''] = unknownNames(['options'], [name], [...new Set(known)])
  return `${sentence.replace(' is unknown;', ` is an option of ${owners.join(' and ')}, not of ${strategies.join(' or ')};`)}`
}
