/** A question about the whole corpus: what a model is told about its sources, and the confidence that they represent the whole. */
import type { Evidence } from '../core/evidence'
import type { OverviewPlan } from '../core/reader/overview/plan'
import type { Found } from './found'

/** Sources are named by their numbers: a stranger wrote the titles. */
export function overviewRules({ overview, evidence }: Pick<Found, 'overview' | 'evidence'>): readonly string[] {
  if (!overview) return []
  const numbersOf = (documents: readonly string[]): string =>
    evidence.flatMap(({ document }, i) => (document !== null && documents.includes(document) ? [`[${i + 1}]`] : [])).join('')
  switch (overview.kind) {
    case 'comparison':
      return [
        `The question compares: ${overview.sides.map((side, i) => `side ${i + 1} is told by ${numbersOf(side)}`).join('; ')}. Say of each point what each side says, and what only one of them says.`,
      ]
    case 'common':
      return ['The question asks what the sources have in common: say what several of them say, and cite each that does.']
    case 'summary':
    case 'topic':
      return [
        'The question asks for the whole: say what matters most in all the sources together, not only in the first; leave out what is a detail.',
      ]
  }
}

/** The share of the chosen documents of which something could be shown. */
export function overviewConfidence({ sides }: OverviewPlan, evidence: readonly Evidence[]): number {
  const chosen = new Set(sides.flat())
  const shown = new Set(
    evidence.flatMap(({ document, also = [] }) => (document === null ? [] : [document, ...also.map((one) => one.document)])),
  )
  return chosen.size === 0 ? 0 : [...chosen].filter((id) => shown.has(id)).length / chosen.size
}
