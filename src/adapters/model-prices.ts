/** Prices of models that Workers AI has no price for, as the deployment states them: budgets in dollars use them. */
import type { Price } from '../ports/models'

export interface PriceVars {
  readonly MODEL_PRICES?: string
}

export interface ModelPrices {
  /** Undefined: no price is stated for this model. */
  of(model: string): Price | undefined
}

const ENTRY = /^(\S+)=(\d+(?:\.\d+)?)(?:\/(\d+(?:\.\d+)?))?$/

/** `gpt-5-mini=0.25/2 text-embedding-3-small=0.02`: dollars per million tokens read, and written. */
export function modelPrices({ MODEL_PRICES = '' }: PriceVars): ModelPrices {
  const entries = MODEL_PRICES.split(/[\s,]+/).filter(Boolean)
  const prices = new Map(
    entries.map((entry) => {
      const [, model = '', read, written = '0'] = ENTRY.exec(entry) ?? []
      if (read === undefined)
        throw new Error(`MODEL_PRICES must be model=read/written, in dollars per million tokens, not ${JSON.stringify(entry)}`)
      return [model, { in: Number(read), out: Number(written) }] as const
    }),
  )
  return { of: (model) => prices.get(model) }
}
