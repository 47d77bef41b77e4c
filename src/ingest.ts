/** The Workflow that does a corpus's model work (flows/ingest.ts): wiring. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { callCount } from './adapters/call-count'
import { corpusOf } from './adapters/corpus'
import { withGovernor } from './adapters/governor'
import { realWorld } from './adapters/workers-ai-calls'
import { modelsFrom } from './adapters/workers-ai-config'
import type { Env } from './env'
import { ingest, type Steps } from './flows/ingest'
import type { RoundOutcome } from './flows/round'

export class Ingest extends WorkflowEntrypoint<Env, { readonly uid: string }> {
  override async run(event: Readonly<WorkflowEvent<{ readonly uid: string }>>, step: WorkflowStep): Promise<void> {
    const { uid } = event.payload
    const count = callCount()
    const models = modelsFrom({ ...this.env, AI: count.model(this.env.AI) }, withGovernor(count.governor(this.env.GOVERNOR), uid))
    const corpus = count.each(corpusOf(this.env.CORPUS, uid))
    const warn = ({ committed, left, faults, truncated = 0 }: RoundOutcome): void =>
      console.warn(JSON.stringify({ event: 'round', corpus: uid, committed, left, faults, truncated }))
    const runner = { corpus, models, name: event.instanceId, newId: () => crypto.randomUUID(), clock: realWorld, calls: count.made, warn }
    await ingest(runner, step as unknown as Steps) // results are counts and names: the platform's own type asks for more than we know of T
  }
}
