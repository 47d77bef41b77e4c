/**
 * What the platform charges besides models, in US dollars, on the Workers Paid plan. From the vendor's pricing pages of Workers, Durable
 * Objects, D1, Vectorize, Workflows and Workers Logs as of October 2026; `included` is what each month's $5 holds already.
 */
export interface Price {
  /** In the plan, each month. */
  readonly included: number
  /** So much of it costs … */
  readonly unit: number
  /** … so many dollars. */
  readonly usd: number
}
const MILLION = 1_000_000

export const PLATFORM_PRICED_ON = '2026-10'
export const PLATFORM = {
  plan: 5, // a month
  requests: { included: 10 * MILLION, unit: MILLION, usd: 0.3 },
  cpu: { included: 30 * MILLION, unit: MILLION, usd: 0.02 }, // milliseconds
  objectRequests: { included: MILLION, unit: MILLION, usd: 0.15 },
  objectTime: { included: 400_000, unit: MILLION, usd: 12.5 }, // GB-s
  rowsRead: { included: 25_000 * MILLION, unit: MILLION, usd: 0.001 }, // of objects and of D1 each
  rowsWritten: { included: 50 * MILLION, unit: MILLION, usd: 1 }, // of objects and of D1 each
  objectStorage: { included: 5, unit: 1, usd: 0.2 }, // GB for a month
  d1Storage: { included: 5, unit: 1, usd: 0.75 }, // GB for a month
  dimensionsStored: { included: 10 * MILLION, unit: MILLION, usd: 0.0005 }, // kept for a month
  dimensionsQueried: { included: 50 * MILLION, unit: MILLION, usd: 0.01 }, // of the questions, and of what is stored, in a month
  steps: { included: 500_000, unit: 100_000, usd: 0.8 }, // of workflows
  logs: { included: 20 * MILLION, unit: MILLION, usd: 0.6 }, // events
} as const satisfies { readonly plan: number } & { readonly [name: string]: Price | number }

export const PLAN = PLATFORM.plan

/** What a corpus holds. Sizes in gigabytes. */
export interface Held {
  readonly objectRows: number
  readonly d1Rows: number
  readonly vectors: number
  readonly object: number
  readonly d1: number
}

/** `beyond`: what is left of it when the plan's share is used for nothing else. */
export interface Bill {
  readonly whole: number
  readonly beyond: number
}

/** Writing it, once. */
export function written({ objectRows, d1Rows }: Held): Bill {
  return sum(priced(objectRows, PLATFORM.rowsWritten), priced(d1Rows, PLATFORM.rowsWritten))
}

/** Keeping it for a month in which so many questions are asked. */
export function kept({ vectors, object, d1 }: Held, dimensions: number, questions: number): Bill {
  const stored = vectors * dimensions
  return sum(
    priced(stored, PLATFORM.dimensionsStored),
    priced(stored + questions * dimensions, PLATFORM.dimensionsQueried),
    priced(object, PLATFORM.objectStorage),
    priced(d1, PLATFORM.d1Storage),
  )
}

function priced(amount: number, { included, unit, usd }: Price): Bill {
  return { whole: (amount / unit) * usd, beyond: (Math.max(0, amount - included) / unit) * usd }
}

function sum(...bills: readonly Bill[]): Bill {
  return bills.reduce((total, one) => ({ whole: total.whole + one.whole, beyond: total.beyond + one.beyond }), { whole: 0, beyond: 0 })
}
