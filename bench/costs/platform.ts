/**
 * What the platform charges besides models, in US dollars, on the Workers Paid plan. From the vendor's pricing pages of Workers, Durable
 * Objects, D1 and Vectorize as of October 2026; `included` is what each month's $5 holds already.
 */
export const PLAN = 5 // a month

const ROWS = { included: 50_000_000, million: 1 } // written; in objects and in D1 each
const OBJECT = { included: 5, gigabyte: 0.2 } // a month
const D1 = { included: 5, gigabyte: 0.75 } // a month
const STORED = { included: 10_000_000, million: 0.0005 } // vector dimensions kept for a month
const QUERIED = { included: 50_000_000, million: 0.01 } // dimensions of the questions, and of what is stored, in a month
const MILLION = 1_000_000

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
  return sum(priced(objectRows, ROWS.included, ROWS.million / MILLION), priced(d1Rows, ROWS.included, ROWS.million / MILLION))
}

/** Keeping it for a month in which so many questions are asked. */
export function kept({ vectors, object, d1 }: Held, dimensions: number, questions: number): Bill {
  const stored = vectors * dimensions
  return sum(
    priced(stored, STORED.included, STORED.million / MILLION),
    priced(stored + questions * dimensions, QUERIED.included, QUERIED.million / MILLION),
    priced(object, OBJECT.included, OBJECT.gigabyte),
    priced(d1, D1.included, D1.gigabyte),
  )
}

function priced(amount: number, included: number, price: number): Bill {
  return { whole: amount * price, beyond: Math.max(0, amount - included) * price }
}

function sum(...bills: readonly Bill[]): Bill {
  return bills.reduce((total, one) => ({ whole: total.whole + one.whole, beyond: total.beyond + one.beyond }), { whole: 0, beyond: 0 })
}
