/** The model work of a corpus, done by a machine that always says the same of the same: vectors from letters, texts from the brief's own. */

import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { finishJobsAwaitingSinks } from '../../../durable-objects/corpus/jobs/finish-jobs'
import { unfinishedJobs } from '../../../durable-objects/corpus/jobs/jobs'
import { drainWithMove, hasUnsentMove } from '../../../durable-objects/corpus/maintenance/drain-with-move'
import { runMaintenanceSlice } from '../../../durable-objects/corpus/maintenance/maintain'
import { countUnsentRows } from '../../../durable-objects/corpus/outbox/outbox'
import type { Brief, Reply } from '../../../src/core/strategy'
import { quantize } from '../../../src/core/vectors'
import type { Round, TaskResult } from '../../../src/ports/tasks'
import { DIMENSIONS, LEASE, type Mortal, type World } from './mortal-object'

/** Numbers from a seed (mulberry32). */
export function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((((t ^ (t >>> 14)) >>> 0) % sides) + sides) % sides
  }
}

const vectors = new Map<string, Int8Array>()
export function embed(text: string, dimensions = DIMENSIONS): Int8Array {
  const key = `${dimensions} ${text}`
  const known = vectors.get(key)
  if (known) return known
  const roll = dice(
    [...text].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, dimensions === DIMENSIONS ? 7 : dimensions),
  )
  const made = quantize(Array.from({ length: dimensions }, () => roll(2001) / 1000 - 1))
  vectors.set(key, made)
  return made
}

/** What the models were asked, and paid. */
export interface UsageRecorder {
  tasks: number
  /** By kind of brief. */
  readonly kinds: { [kind: string]: number }
}

export const noBill = (): UsageRecorder => ({ tasks: 0, kinds: {} })

export function answered(round: Round, bill: UsageRecorder): TaskResult[] {
  bill.tasks += round.tasks.length
  const dimensions = round.embedded?.dimensions
  return round.tasks.map((task): TaskResult => {
    const { kind } = task.brief
    bill.kinds[kind] = (bill.kinds[kind] ?? 0) + 1
    const reply: Reply = { node: task.node, input: task.input, ...said(task.brief, dimensions) }
    const { id, prompts } = task
    return { id, reply, spent: { in: 0, out: 0, embedded: 1 }, calls: { [kind]: 1 }, ...(prompts === undefined ? {} : { prompts }) }
  })
}

type Said = Reply extends infer R ? (R extends Reply ? Omit<R, 'node' | 'input'> : never) : never

function said(brief: Brief, dimensions?: number): Said {
  const vectorOf = (text: string): Int8Array => embed(text, dimensions)
  switch (brief.kind) {
    case 'embed':
      return { kind: 'embed', vectors: brief.texts.map(vectorOf) }
    case 'rerank':
      return {
        kind: 'rerank',
        scores: brief.pools.map(({ question, texts }) => texts.map((text) => (text.includes(question) ? 0.9 : 0.1))),
      }
    case 'summarize': {
      const text = `In short: ${[...brief.texts].sort().join(' ').slice(0, 200)}`
      return { kind: 'summarize', text, vector: vectorOf(text), generator: 'model' }
    }
    case 'report':
      return { kind: 'report', report: brief.fallback, vector: vectorOf(brief.fallback.summary), generator: 'model' }
    case 'extract': {
      const names = [...new Set(brief.text.match(/\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/gu) ?? [])].sort()
      const entities = names.map((name) => ({ name, type: 'thing', description: `${name} is named` }))
      const relations = names.slice(1).map((name) => ({ source: names[0] ?? '', target: name, description: 'together', strength: 5 }))
      const units = brief.want.units ? names.map((name) => ({ text: `${name} is spoken of.`, vector: vectorOf(name) })) : []
      return { kind: 'extract', extraction: { units, entities, relations } }
    }
  }
}

/** As the object's alarm does. */
export async function send({ context, sinks }: Mortal): Promise<void> {
  const indexOf = ({ dimensions }: { readonly dimensions: number }) =>
    dimensions === DIMENSIONS ? sinks.index : (sinks.previousIndex ?? sinks.index)
  const catalogue = { recordEmbedding: async () => undefined, recordExamples: async () => undefined }
  await drainWithMove(context, { ...sinks, index: indexOf(context.config.settings), catalogue }, indexOf)
}

/** Works and sends until nothing is due. */
export async function finish(mortal: Mortal, world: World, bill: UsageRecorder): Promise<void> {
  world.clock.now += LEASE + 1
  for (let rounds = 0; ; rounds++) {
    if (rounds > 400) throw new Error('it does not come to an end')
    const worked = commitNext(mortal.context) || runMaintenanceSlice(mortal.context)
    const round = openTasks(mortal.context, 'last', 64)
    if (round && round.tasks.length > 0) commitRound(mortal.context, 'last', answered(round, bill))
    await send(mortal)
    finishJobsAwaitingSinks(mortal.context)
    const idle = !worked && (!round || round.tasks.length === 0)
    const isSent = countUnsentRows(mortal.context) === 0 && !hasUnsentMove(mortal.context)
    if (idle && unfinishedJobs(mortal.context.sql).length === 0 && isSent) return
  }
}
