/** A sixth strategy, as small as can be: each chunk has a headline, its first words, and is found by it. */
import { z } from 'zod'
import { chosenOptions } from '../../../../src/core/chosen-options'
import { embedding } from '../../../../src/core/estimate/work'
import { flag, publicNames, whole } from '../../../../src/core/setting-fields'
import type { Strategy } from '../../../../src/core/strategy'
import type { StrategyDeclaration } from '../../../../src/core/strategy-declaration'
import { headlineOf, headlines } from './headlines'

const settings = z
  .object({
    /** Words of a headline. */
    words: whole(1, 20).default(4).register(publicNames, { name: 'headline_words' }),
    /** Fewest words of a chunk that has one. */
    fewest: whole(0, 20).default(2),
  })
  .superRefine(({ words, fewest }, context) => {
    if (fewest > words) context.addIssue({ code: 'custom', path: ['fewest'], message: 'must be at most headline_words' })
  })

declare module '../../../../src/core/settings' {
  interface Settings {
    readonly toy?: Readonly<z.output<typeof settings>>
  }
}

const options = { bare: flag }

const strategy: Strategy = {
  name: 'toy',
  builders: [headlines],
  entries: [],
  retrieve(graph, query, _scores, { own, topK }) {
    const { bare = false } = chosenOptions(options, own)
    const passages = graph.match(query.terms, topK).filter((hit) => query.admits?.(hit.id.split('/')[0] ?? '') ?? true)
    const found = passages.flatMap((hit) => {
      const headline = bare ? undefined : headlineOf(graph, hit.id)
      return [...(headline ? [{ id: headline, score: hit.score, via: 'headline', support: [hit.id] }] : []), { ...hit, via: 'toy' }]
    })
    return { kind: 'evidence', found: [...new Map(found.map((one) => [one.id, one])).values()].slice(0, topK) }
  },
}

export const toy: StrategyDeclaration = {
  name: 'toy',
  summary: 'The first words of everything',
  enabled: 'chosen',
  settings,
  options,
  strategy,
  need: { own: ({ bulk }) => [embedding(1000 * bulk.chunks, bulk.chunks)] },
}
