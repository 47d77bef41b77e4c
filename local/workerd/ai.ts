/**
 * `env.AI` on a machine without an account: an adapter from the AI binding's call shape to any OpenAI-compatible server, or to
 * the hash embedder. What the caller sees (shapes, limits, errors, streams) is Workers AI's. There is no `toMarkdown`: documents
 * are converted in the account only.
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
