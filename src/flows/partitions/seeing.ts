/**
 * Watching over a partitioned corpus. Its own object has the log of questions and the alerts, since it has the endpoints and sees all
 * questions; figures and costs are added up.
 */
import type { Condition } from '../../contract/alerts'
import type { DayCost, Figures, SeeingObject, StageFigures } from '../../ports/seeing'
import { addNumbers } from './jobs'

/** What a partition checks; a budget is the corpus's own. */
const IN_PARTITIONS: ReadonlySet<Condition> = new Set(['job_failed', 'quarantine', 'index_lag', 'source_failing'])

export function partitionedSeeing(whole: SeeingObject, parts: readonly SeeingObject[]): SeeingObject {
  return {
    ...whole,
    async figures() {
      const [own, ...told] = await Promise.all([whole, ...parts].map((one) => one.figures()))
      const all = told.flatMap((one) => one ?? [])
      return own && all.length === parts.length ? joinFigures(own, all) : null
    },
    async costs(range) {
      const all = await Promise.all([whole, ...parts].map((one) => one.costs(range)))
      return joinCosts(all.flat())
    },
    /** Partitions report what begins and ends in them. */
    async putAlerts(rules, by) {
      const own = { ...rules, conditions: rules.conditions.filter((one) => IN_PARTITIONS.has(one)) }
      await Promise.all(parts.map((part) => part.putAlerts(own)))
      return whole.putAlerts(rules, by)
    },
  }
}

function joinFigures(own: Figures, parts: readonly Figures[]): Figures {
  const all = [own, ...parts]
  const sum = (of: (one: Figures) => number): number => all.reduce((total, one) => total + of(one), 0)
  const most = (of: (one: Figures) => number): number => Math.max(...all.map(of))
  return {
    ...own,
    version: parts.reduce((total, one) => total + one.version, 0),
    documents: sum((one) => one.documents),
    chunks: sum((one) => one.chunks),
    jobs: all.map((one) => one.jobs).reduce(addNumbers, {}),
    oldestJobMs: most((one) => one.oldestJobMs),
    tasks: sum((one) => one.tasks),
    outboxRows: sum((one) => one.outboxRows),
    versionsBehind: most((one) => one.versionsBehind),
    indexLagMs: most((one) => one.indexLagMs),
    quarantined: sum((one) => one.quarantined),
    storageBytes: sum((one) => one.storageBytes),
    stages: all.map((one) => one.stages).reduce(addStages),
  }
}

function addStages(a: Figures['stages'], b: Figures['stages']): Figures['stages'] {
  const none: StageFigures = { calls: 0, in: 0, out: 0, embedded: 0, neurons: 0 }
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return Object.fromEntries(
    names.map((name) => [name, addNumbers({ ...(a[name] ?? none) }, { ...(b[name] ?? none) }) as unknown as StageFigures]),
  )
}

function joinCosts(rows: readonly DayCost[]): readonly DayCost[] {
  const groups = Map.groupBy(rows, ({ day, key, stage }) => JSON.stringify([day, key, stage]))
  return [...groups.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const sum = (of: (one: DayCost) => number): number => same.reduce((total, one) => total + of(one), 0)
    const { day, key, stage } = first
    return {
      ...{ day, key, stage },
      calls: sum((one) => one.calls),
      in: sum((one) => one.in),
      out: sum((one) => one.out),
      embedded: sum((one) => one.embedded),
      usd: sum((one) => one.usd),
    }
  })
}
