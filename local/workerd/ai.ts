/**
 * `env.AI` on a machine without an account: an adapter from the AI binding's call shape to any OpenAI-compatible server, or to the hash
 * embedder. The caller sees Workers AI's shapes, limits, errors and streams. There is no `toMarkdown`: documents are converted only in the
 * account.
 */
import { WorkerEntrypoint } from 'cloudflare:workers'
import type { Env } from './env'
import { infer } from './inference'
import { world } from './world'

export class AiStandIn extends WorkerEntrypoint<Env> {
  async run(model: string, inputs: unknown, _options?: unknown): Promise<unknown> {
    return infer({ env: this.env, world, now: Date.now() + world.skew }, model, inputs)
  }
}
