/** What is written of texts: summaries of segments, reports on communities, descriptions of entities; whether what they say stands in the material. */

import type { Brief } from '../../src/core/strategy'
import { checkClaim } from '../../src/core/support/check'
import { sentences } from '../../src/core/text/sentences'
import { performTask } from '../../src/flows/task'
import type { TaskResult } from '../../src/ports/tasks'
import { outcomesOf, share } from './outcomes'
import type { Read } from './passages'
import { sampled, type Writer } from './sampling'

const SEGMENT = { passages: 4, tokens: 150 } as const
const REPORT = { passages: 2, tokens: 300 } as const
const DESCRIPTION = { tokens: 60 } as const
const STAND_IN = '' // an extract is told by who wrote it

type Written = Exclude<Brief, { kind: 'embed' | 'extract' | 'rerank' }>

export const writtenKinds = ['summarise', 'report', 'describe'] as const
export type WrittenKind = (typeof writtenKinds)[number]

/** Material of each kind, from passages in their order. */
export function briefs(kind: WrittenKind, read: readonly Read[]): readonly Written[] {
  switch (kind) {
    case 'summarise':
      return inGroups(read, SEGMENT.passages).map((texts) => ({
        kind: 'summarize',
        role: 'segment',
        subject: '',
        texts: texts.map(({ text }) => text),
        tokens: SEGMENT.tokens,
        fallback: STAND_IN,
      }))
    case 'report':
      return inGroups(read, REPORT.passages).map((texts) => ({
        kind: 'report',
        texts: texts.flatMap(statements),
        tokens: REPORT.tokens,
        fallback: { title: STAND_IN, summary: STAND_IN, rating: 0, findings: [] },
      }))
    case 'describe':
      return read.map((one) => ({
        kind: 'summarize',
        role: 'entity',
        subject: one.title,
        texts: sentencesOf(one.text).slice(0, 4),
        tokens: DESCRIPTION.tokens,
        fallback: STAND_IN,
      }))
  }
}

export async function summaries(all: readonly Written[], writer: Writer) {
  const done = await sampled(all, writer, async (models, brief) => {
    const result = await performTask(models, { id: 1, node: 's_bench', input: 'bench', brief })
    return { brief, result, isUsable: 'generator' in result.reply && result.reply.generator === 'model' }
  })
  const claims = done.results
    .filter(({ isUsable }) => isUsable)
    .flatMap(({ brief, result }) => sentencesOf(saidIn(result)).map((claim) => ({ claim, texts: textsOf(brief) })))
  const judged = claims.map(
    ({ claim, texts }) =>
      checkClaim(
        claim,
        texts.map((text) => ({ text })),
      ).outcome,
  )
  return {
    ...outcomesOf(done),
    statements: claims.length,
    supported: share(judged, (one) => one === 'supported'),
    contradicted: share(judged, (one) => one === 'contradicted'),
  }
}

function textsOf(brief: Written): readonly string[] {
  return brief.kind === 'summarize' ? [brief.subject, ...brief.texts] : brief.texts
}

function saidIn({ reply }: TaskResult): string {
  if (reply.kind === 'summarize') return reply.text
  if (reply.kind !== 'report') return ''
  const { summary, findings } = reply.report
  return [summary, ...findings.flatMap((one) => [one.summary, one.explanation])].join('\n')
}

/** As a community's material is: a thing, and what is said of it. */
function statements({ title, text }: Read): string[] {
  return sentencesOf(text).map((one) => `${title} | ${one}`)
}

function sentencesOf(text: string): string[] {
  return sentences(text).map(({ start, end }) => text.slice(start, end))
}

function inGroups<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.floor(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
