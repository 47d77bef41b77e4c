/**
 * How often a corpus wakes in a month: the object's own alarm on a simulated clock, with the index that shows a write after 30 seconds, models that
 * answer in two, and a queue. Prints; asserts nothing.
 *   npm run bench wakes [-- --days 30]
 */
import { parseArgs } from 'node:util'
import { commitRound, openTasks, pauseOrResume } from '../../durable-objects/corpus/indexing/runner'
import { accept } from '../../durable-objects/corpus/ingest/accept'
import { finishJobsAwaitingSinks } from '../../durable-objects/corpus/jobs/finish-jobs'
import { drain, hasUnsent } from '../../durable-objects/corpus/outbox/drain'
import { Alarm } from '../../durable-objects/corpus/schedule/alarm'
import { dueTimes, isUpkeepDue, type NextAlarm } from '../../durable-objects/corpus/schedule/due-times'
import { runAlarm } from '../../durable-objects/corpus/schedule/run'
import { scheduleStateOf } from '../../durable-objects/corpus/schedule/state'
import { expectedBy } from '../../durable-objects/corpus/schedule/watch'
import { addSource, claimSource, closeSource } from '../../durable-objects/corpus/sources/sources'
import { metaKeys, writeMeta } from '../../durable-objects/corpus/tables/meta'
import { mortalWorld } from '../../test/node/corpus/mortal-object'
import { answered, noBill } from '../../test/node/corpus/working'

const { values: flags } = parseArgs({ options: { days: { type: 'string', default: '30' } } })
const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000]
const DAYS = Number(flags.days)
const PATIENCE = 60 * SECOND
const CRON = 12 * 24 * DAYS // times a cron trigger every five minutes woke each corpus

interface Life {
  readonly name: string
  readonly strategies: readonly string[]
  /** Documents put before the month begins. */
  readonly before: number
  /** When documents are put, ms after its beginning. */
  readonly puts: readonly number[]
  /** Pages looked at, every so many ms. */
  readonly sources: number
  readonly every: number
}

interface Month {
  readonly wakes: number
  /** For what, and how often. */
  readonly reasons: ReadonlyMap<string, number>
  readonly rows: number
  readonly watched: number
}

async function live({ strategies, before, puts, sources, every }: Life): Promise<Month> {
  const world = mortalWorld(strategies)
  world.index.delay = 30 * SECOND
  const { clock } = world
  clock.now = Date.parse('2026-11-02T00:00:00Z')
  const { context, sinks } = world.wake()
  writeMeta(context.sql, metaKeys.createdAt, clock.now)
  const pending: { at: number; act: () => Promise<void> }[] = []
  const later = (ms: number, act: () => Promise<void>): void => void pending.push({ at: clock.now + ms, act })
  const here = { at: null as number | null, sets: 0, name: '', by: null as number | null, watched: 0 }
  const state = () => scheduleStateOf(context, alarm.attempts, PATIENCE)
  const set = async (at: number | null): Promise<void> => {
    here.at = at
    here.sets++
  }
  const watch = (next: NextAlarm | null): void => {
    const by = expectedBy(here.by, next)
    here.watched += Number(by !== here.by)
    here.by = by
    here.name = next?.name ?? ''
  }
  const alarm = new Alarm({
    storage: { getAlarm: async () => here.at, setAlarm: set, deleteAlarm: () => set(null) },
    now: () => clock.now,
    state,
    watch,
    failed: (error) => console.error(error),
  })
  const send = async (): Promise<void> => {
    await drain(context, sinks)
    alarm.update({ drainedAt: clock.now })
    finishJobsAwaitingSinks(context)
    for (const name of world.owed.splice(0)) if (name.startsWith('fetch ')) later(SECOND, () => look(name.slice(6)))
  }
  const moved = async (): Promise<void> => {
    if (hasUnsent(context)) await send()
    await alarm.set()
  }
  const look = async (id: string): Promise<void> => {
    const order = claimSource(context, id)
    if (order.kind === 'go') closeSource(context, id, order.attempt, { kind: 'unchanged' })
    await moved()
  }
  const work = async (): Promise<void> => {
    const round = openTasks(context, 'runner', 1024)
    alarm.update({ starts: 0 })
    if (round && round.tasks.length > 0) {
      commitRound(context, 'runner', answered(round, noBill()))
      later(2 * SECOND, work)
    }
    await moved()
  }
  const startRunner = async (): Promise<void> => {
    context.atomically(() => pauseOrResume(context))
    const { runner } = dueTimes(state(), clock.now)
    if (typeof runner !== 'number' || runner > clock.now) return
    alarm.update({ starts: alarm.attempts.starts + 1, startedAt: clock.now })
    later(2 * SECOND, work)
  }
  const parts = {
    context: () => context,
    isClosed: () => false,
    now: () => clock.now,
    pause: (ms: number) => (ms > SECOND ? new Promise<void>(() => undefined) : Promise.resolve()), // no sink takes so long
    after: () => () => undefined,
    giveWay: () => Promise.resolve(),
    drain: send,
    drainMeanwhile: () => undefined,
    startRunner,
    isUpkeepDue: () => isUpkeepDue(state(), clock.now),
  }
  let made = 0
  const put = async (count: number): Promise<void> => {
    const page = () => ({
      id: `d${made}`,
      text: `Anna Berg counted ${made++} herons at Port Ellis. Otto Brandt doubted it.`,
      title: '',
      url: null,
      metadata: {},
    })
    accept(context, { kind: 'batch', upserts: Array.from({ length: count }, page), deletes: [] })
    await moved()
  }
  const reasons = new Map<string, number>()
  const until = async (end: number): Promise<void> => {
    for (;;) {
      pending.sort((a, b) => a.at - b.at)
      const next = Math.min(pending[0]?.at ?? Number.POSITIVE_INFINITY, here.at ?? Number.POSITIVE_INFINITY)
      if (next > end) break
      clock.now = Math.max(clock.now, next)
      if (here.at !== null && here.at <= clock.now) {
        reasons.set(here.name, (reasons.get(here.name) ?? 0) + 1)
        here.at = null
        await alarm.run(0, () => runAlarm(parts, clock.now + 30 * SECOND))
      } else await pending.shift()?.act()
    }
    clock.now = end
  }
  if (before > 0) await put(before)
  await until(clock.now + DAY)
  reasons.clear()
  Object.assign(here, { sets: 0, watched: 0 })
  const begin = clock.now
  for (let n = 0; n < sources; n++) {
    const [id, document] = [`s${n}`, `page ${n}`]
    addSource(context, { id, url: `https://x.test/${n}`, document, every, onGone: 'keep', metadata: {}, created: begin })
  }
  await moved()
  for (const at of puts) pending.push({ at: begin + at, act: () => put(1) })
  await until(begin + DAYS * DAY)
  world.close()
  return { wakes: [...reasons.values()].reduce((sum, n) => sum + n, 0), reasons, rows: here.sets, watched: here.watched }
}

/** So many a working day, between nine and five. */
function working(day: number): number[] {
  const days = Array.from({ length: DAYS }, (_, i) => i).filter((i) => i % 7 < 5)
  return days.flatMap((i) => Array.from({ length: day }, (_, n) => i * DAY + 9 * HOUR + (n * 8 * HOUR) / day))
}

const lives: readonly Life[] = [
  { name: 'never used', strategies: [], before: 0, puts: [], sources: 0, every: 0 },
  { name: 'filled the day before, then idle', strategies: ['erarag', 'ketrag'], before: 40, puts: [], sources: 0, every: 0 },
  { name: 'one page looked at every six hours', strategies: ['ketrag'], before: 10, puts: [], sources: 1, every: 6 * HOUR },
  {
    name: 'forty documents a working day, a page every hour',
    strategies: ['erarag', 'ketrag'],
    before: 40,
    puts: working(40),
    sources: 1,
    every: HOUR,
  },
]
console.log(
  `${DAYS} days; before: the cron trigger alone woke each corpus ${CRON} times, 1,000 idle ones ${(CRON * 1000).toLocaleString('en')} times`,
)
for (const life of lives) {
  const { wakes, reasons, rows, watched } = await live(life)
  const why = [...reasons].map(([name, n]) => `${name} ${n}`).join(', ')
  console.log(`${life.name}: ${wakes} wakes${why ? ` (${why})` : ''}, ${rows} settings of the alarm, ${watched} of the watch`)
}
