/**
 * The Workflow that does a corpus's model work: rounds of lease, ask, commit, until nothing is owed. Every step may be repeated:
 * what was committed is not asked again, what was not is. Payloads stay out of Workflow state; only counts pass through it.
 */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import { corpusOf } from './adapters/corpus'
import { governed } from './adapters/governor'
import { modelsFrom } from './adapters/workers-ai-config'
import type { Env } from './env'
import { runRound } from './flows/round'

const ROUNDS = 400 // steps per instance, far below the platform's 10,000; the object's alarm starts the next one
const TEXTS = 1024 // texts leased per round: the vectors of one commit stay below 1 MB at 1,024 dimensions
const LONGEST = 300_000 // ms between two tries
const BETWEEN = 20 // ms between two rounds: where the runner, the models and the object share a thread, no request comes in without a timer

export class Ingest extends WorkflowEntrypoint<Env, { readonly uid: string }> {
  override async run(event: Readonly<WorkflowEvent<{ readonly uid: string }>>, step: WorkflowStep): Promise<void> {
    const { uid } = event.payload
    const models = modelsFrom(this.env, governed(this.env.GOVERNOR, uid))
    const corpus = corpusOf(this.env.CORPUS, uid)
    let failures = 0
    for (let round = 0; round < ROUNDS; round++) {
      const after = await step.do(
        `round ${round}`,
        { retries: { limit: 5, delay: '2 seconds', backoff: 'exponential' }, timeout: '10 minutes' },
        async () => runRound(corpus, models, event.instanceId, TEXTS),
      )
      if (after.left === 0 || after.lost || after.paused) return
      failures = after.committed > 0 ? 0 : failures + 1
      // Nothing came back: a model is down or over its limit. The lease runs out while we sleep, which is fine: no work is lost.
      if (failures > 0) await step.sleep(`pause ${round}`, pause(failures, after.retryAfter))
      else await new Promise((resolve) => setTimeout(resolve, BETWEEN))
    }
  }
}

/** Milliseconds: what the model asked for, else doubling from one second to five minutes. */
function pause(failures: number, retryAfter: number | undefined): number {
  return Math.min(LONGEST, retryAfter ? retryAfter * 1000 : 1000 * 2 ** Math.min(failures - 1, 10))
}
