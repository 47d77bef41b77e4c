/** The Workflow that does a corpus's model work (flows/ingest.ts): wiring. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { version } from '../package.json'
import { callCount } from './adapters/call-count'
import { corpusOf, metricsOf } from './adapters/corpus'
import { withGovernor } from './adapters/governor'
import { tracingFrom } from './adapters/tracing'
import { realWorld } from './adapters/workers-ai-calls'
import { modelsFrom } from './adapters/workers-ai-config'
import type { Env } from './env'
import { ingest, type Steps } from './flows/ingest'
import { meteredModels } from './flows/metered-models'
import type { RoundOutcome } from './flows/round'
import { createCounts, metersOf, secondsOf } from './metrics/meters'
import type { CallSlots } from './ports/call-slots'
import type { Meters } from './ports/metrics'
import { tracedCalls } from './tracing/traced-calls'
import { tracedModels } from './tracing/traced-models'

export class Ingest extends WorkflowEntrypoint<Env, { readonly uid: string }> {
  override async run(event: Readonly<WorkflowEvent<{ readonly uid: string }>>, step: WorkflowStep): Promise<void> {
    const { uid } = event.payload
    const count = callCount()
    const meters = this.env.METRICS === 'on' ? metersOf(createCounts(), () => metricsOf(this.env.METRICS_OBJECT), realWorld.now) : null
    const slots = withGovernor(count.governor(this.env.GOVERNOR), uid)
    const unmetered = modelsFrom(
      { ...this.env, AI: count.model(this.env.AI), fetch: count.network((request) => fetch(request)) },
      meters ? timed(slots, meters) : slots,
    )
    const metered = meters ? meteredModels(unmetered, meters, realWorld.now) : unmetered
    const tracing = tracingFrom(this.env, meters, version)
    const tracer = tracing?.begin(new Headers())
    const models = tracer ? tracedModels(metered, tracer, 'text') : metered
    const called = count.each(corpusOf(this.env.CORPUS, uid))
    const corpus = tracer ? tracedCalls(tracer, { what: 'object', name: 'corpus' }, called) : called
    const warn = ({ committed, left, faults, truncated = 0 }: RoundOutcome): void =>
      console.warn(JSON.stringify({ event: 'round', corpus: uid, committed, left, faults, truncated }))
    const runner = { corpus, models, name: event.instanceId, newId: () => crypto.randomUUID(), clock: realWorld, calls: count.made, warn }
    try {
      await ingest(runner, step as unknown as Steps) // results are counts and names: the platform's own type asks for more than we know of T
    } finally {
      tracer?.end('runner', { 'loam.corpus': uid })
      await tracing?.flush()
      await meters?.report('now')
    }
  }
}

/** The same, and how long each call waited for its slot. */
function timed(slots: CallSlots, meters: Meters): CallSlots {
  return {
    with(call, run, signal) {
      const from = realWorld.now()
      const begun = (): ReturnType<typeof run> => {
        meters.observe('loam_queue_wait_seconds', { queue: 'model_slots' }, secondsOf(realWorld.now() - from))
        return run()
      }
      return slots.with(call, begun, signal)
    },
  }
}
