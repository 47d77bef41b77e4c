/** All checks on one deployment, one after another; everything created is removed whatever happens. */
import { type Check, Skipped } from './checks'
import { forgetting, leaving } from './forgetting'
import { journey } from './journey'
import { limits } from './limits'
import { living } from './living'
import { type Told, World } from './world'

const LONGEST = 240_000 // ms for all checks
const REMOVAL = 50_000 // ms: together under five minutes

export interface Outcome {
  readonly name: string
  readonly state: 'held' | 'failed' | 'skipped'
  readonly note: string
  readonly ms: number
}
export interface Report {
  readonly outcomes: readonly Outcome[]
  /** Milliseconds, by kind of request. */
  readonly latencies: readonly { readonly request: string; readonly calls: number; readonly p50: number; readonly max: number }[]
  readonly cost: { readonly models: number; readonly rows: number }
  /** What could not be removed. */
  readonly left: readonly string[]
  readonly ms: number
}

/** `onOutcome` is called with each outcome as it comes. Aborting `signal` ends it early, with the removal. */
export async function verify({
  onOutcome = () => {},
  ...told
}: Told & { readonly onOutcome?: (outcome: Outcome) => void }): Promise<Report> {
  const began = Date.now()
  const stopped = AbortSignal.any([AbortSignal.timeout(LONGEST), ...(told.signal ? [told.signal] : [])])
  const world = new World({ ...told, signal: stopped })
  const outcomes: Outcome[] = []
  const note = (outcome: Outcome): void => {
    outcomes.push(outcome)
    onOutcome(outcome)
  }
  // The budget is tested in the corpus of the limits, so that comes before.
  for (const check of [...journey, ...limits, ...living, ...forgetting]) {
    if (stopped.aborted) break
    note(await outcomeOf(check, world, stopped))
  }
  const last = new World({ ...told, signal: AbortSignal.timeout(REMOVAL) })
  last.takeOver(world)
  const cost = await costOf(last)
  if (stopped.aborted) note({ name: 'all checks made', state: 'failed', note: 'it ended early', ms: Date.now() - began })
  for (const check of leaving) note(await outcomeOf(check, last))
  const left = await last.clear()
  return { outcomes, latencies: latenciesOf(world), cost, left, ms: Date.now() - began }
}

async function outcomeOf(check: Check, world: World, stopped?: AbortSignal): Promise<Outcome> {
  const began = Date.now()
  const outcome = (state: Outcome['state'], note: string): Outcome => ({ name: check.name, state, note, ms: Date.now() - began })
  try {
    return outcome('held', await check.run(world))
  } catch (error) {
    if (error instanceof Skipped) return outcome('skipped', error.message)
    return outcome('failed', stopped?.aborted ? 'it ended early' : said(error))
  }
}

function said(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  return `${message ?? String(error)}${code === undefined ? '' : ` (${code})`}`
}

/** In dollars: models from the ledger, and rows written as if the plan's allowance were used up. */
async function costOf(world: World): Promise<Report['cost']> {
  const MILLION = 1_000_000
  const each = [world.corpus, world.edge].map(async (corpus) => {
    const [{ total, rows_published: published }, { data }] = await Promise.all([corpus.usage(), corpus.jobs({ limit: 100 })])
    return { models: total.usd, rows: (published + data.reduce((sum, one) => sum + (one.receipt?.rows_written ?? 0), 0)) / MILLION }
  })
  const known = (await Promise.allSettled(each)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  return { models: known.reduce((sum, one) => sum + one.models, 0), rows: known.reduce((sum, one) => sum + one.rows, 0) }
}

function latenciesOf({ times }: World): Report['latencies'] {
  return [...times].map(([request, all]) => {
    const sorted = [...all].sort((a, b) => a - b)
    const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
    return { request, calls: sorted.length, p50: at(0.5), max: at(1) }
  })
}
