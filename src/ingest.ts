/**
 * The Workflow that does a corpus's model work: rounds of lease, ask, commit, until nothing is owed. Every step may be repeated:
 * what was committed is not asked again, what was not is. Payloads stay out of Workflow state; only counts pass through it.
 */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { corpusOf } from './adapters/corpus'
import { modelsFrom } from './adapters/workers-ai-config'
import type { Env } from './env'
import { runRound } from './flows/round'

const ROUNDS = 400 // steps per instance, far below the platform's 10,000; the object's alarm starts the next one
const TEXTS = 1024 // texts leased per round: the vectors of one commit stay below 1 MB at 1,024 dimensions

export class Ingest extends WorkflowEntrypoint<Env, { readonly uid: string }> {
  override async run(event: Readonly<WorkflowEvent<{ readonly uid: string }>>, step: WorkflowStep): Promise<void> {
    const { uid } = event.payload
    const models = modelsFrom(this.env)
    const corpus = corpusOf(this.env.CORPUS, uid)
    for (let round = 0; round < ROUNDS; round++) {
      const after = await step.do(
        `round ${round}`,
        { retries: { limit: 5, delay: '2 seconds', backoff: 'exponential' }, timeout: '10 minutes' },
        async () => runRound(corpus, models, event.instanceId, TEXTS),
      )
      if (after.left === 0 || after.lost || after.paused) return
    }
  }
}
