/**
 * One task of a corpus, done: what the brief asks, checked, embedded and made a reply. Split in two, so that a round can embed the texts of many tasks
 * together: `drafted` does what needs a writer, `completed` adds the vectors. If no reply is usable (write-task.ts), the fallback is used and says so.
 * Errors that waiting can cure are thrown.
 */
import type { Spent } from '../contract/usage'
import type { Vector } from '../core/graph/types'
import type { Brief, WrittenBrief } from '../core/strategy'
import { sentences } from '../core/text/sentences'
import { tokenBounds } from '../core/text/token-bound'
import type { Models } from '../ports/models'
import type { LeasedTask, TaskResult } from '../ports/tasks'
import { type Draft, draftOf, embedDraft, type PaidFor, unusableDraft } from './draft'
import { uncovered } from './faults'
import { glean, merged } from './gleanings'
import { type Dropped, type ParsedExtraction, parseExtraction, parseReport, parseSummary } from './replies'
import { rerankTask } from './rerank-task'
import { type Stated, statedReport, statedText } from './stated'
import { both, NOT_BEGUN, NOTHING, type Paid, type RemainingBudget, type Tried, written } from './write-task'
import { roleOf } from './writers'

const CUT: Dropped = { truncated: 1 }
const SPLITS = 2 // times a text is halved if its reply was cut

type Extracting = Extract<Brief, { kind: 'extract' }>

/** Does the task wait for a model that writes? */
export function needsWriter(models: Models, { brief }: LeasedTask): boolean {
  return models.text !== null && brief.kind !== 'embed' && brief.kind !== 'rerank'
}

export const unlimited = (): RemainingBudget => ({ spent: NOTHING, lost: NOTHING, calls: 0, covers: async () => true })

/** Rejects with a `ModelError` when the task should be tried again later. */
export async function performTask(models: Models, task: LeasedTask): Promise<TaskResult> {
  return embedDraft(models, await draftTask(models, task))
}

/** A draft whose texts may be embedded: a reply longer in bytes than was covered is paid for only if that too is covered. */
export async function draftTask(models: Models, task: LeasedTask, remainingBudget = unlimited()): Promise<Draft> {
  const draft = await unembedded(models, task, remainingBudget)
  if (!(await remainingBudget.covers(both(both(draft.spent, remainingBudget.lost), vectorsOf(draft.texts))))) throw uncovered()
  return draft
}

async function unembedded(models: Models, task: LeasedTask, remainingBudget: RemainingBudget): Promise<Draft> {
  const { brief, node, input } = task
  const base = { node, input }
  switch (brief.kind) {
    case 'embed':
      return draftOf(task, brief.texts, (vectors) => ({ ...base, kind: 'embed', vectors }))
    case 'rerank':
      return rerankTask(models, task, brief.pools, remainingBudget)
    case 'summarize': {
      const done = await written(models, brief, remainingBudget, (text, asked) => {
        const summary = parseSummary(text, brief.tokens, asked)
        return asked.isRetold ? statedText(summary, [brief.subject, ...brief.texts]) : { value: summary, invented: 0 }
      })
      const [text, generator] =
        done.value === undefined ? ([brief.fallback, 'extractive'] as const) : ([done.value.value, 'model'] as const)
      return {
        ...draftOf(
          task,
          [text],
          ([vector]) => ({ ...base, kind: 'summarize', text, generator, vector: one(vector) }),
          paidFor(done, brief),
        ),
        dropped: droppedOf(done),
      }
    }
    case 'report': {
      const done = await written(models, brief, remainingBudget, (text, asked) =>
        statedReport(parseReport(text, brief.tokens, asked), brief.texts),
      )
      const dropped = droppedOf(done)
      const [report, generator] =
        done.value === undefined ? ([brief.fallback, 'extractive'] as const) : ([done.value.value, 'model'] as const)
      const text = `${report.title}\n${report.summary}`
      return {
        ...draftOf(task, [text], ([vector]) => ({ ...base, kind: 'report', report, generator, vector: one(vector) }), paidFor(done, brief)),
        dropped,
      }
    }
    case 'extract': {
      const done = await extracted(models, brief, remainingBudget)
      if (done.value === undefined) return unusableDraft(task, done.why ?? done.fault, paidFor(done, brief))
      const { lost } = remainingBudget
      const paid = both(both(done.spent, lost), vectorsOf(done.value.units))
      const more = await glean(models, brief, done.value, (max) => remainingBudget.covers(both(paid, max)))
      const calls = done.calls + more.calls
      Object.assign(remainingBudget, { spent: both(done.spent, more.spent), lost: both(lost, more.lost), calls })
      const { units, entities, relations, dropped } = more.drawn
      return {
        ...draftOf(
          task,
          units,
          (vectors) => ({
            ...base,
            kind: 'extract',
            extraction: { units: units.map((text, i) => ({ text, vector: one(vectors[i]) })), entities, relations },
          }),
          { ...paidFor(done, brief), spent: both(done.spent, more.spent), calls: { extract: calls } },
        ),
        dropped: done.cut ? { ...dropped, ...CUT } : dropped,
      }
    }
  }
}

/**
 * What did not fit into a reply is requested again for halves of the text, down to a quarter; what is cut even then is kept, and counted.
 */
async function extracted(
  models: Models,
  brief: Extracting,
  remainingBudget: RemainingBudget,
  { depth = 0, before = NOT_BEGUN }: { readonly depth?: number; readonly before?: Paid } = {},
): Promise<Tried<ParsedExtraction>> {
  const whole = await written(
    models,
    brief,
    remainingBudget,
    (text, { instructions }) => parseExtraction(text, brief, [], instructions),
    before,
  )
  const halves = whole.cut && depth < SPLITS ? halvesOf(brief) : undefined
  if (!halves) return whole
  let paid: Paid = whole
  const parts: Tried<ParsedExtraction>[] = []
  for (const half of halves) {
    const part: Tried<ParsedExtraction> = await extracted(models, half, remainingBudget, { depth: depth + 1, before: paid })
    parts.push(part)
    paid = part
  }
  const values = parts.flatMap(({ value }) => value ?? [])
  const cut = values.length < parts.length || parts.some((part) => part.cut)
  const value = values.length > 0 ? merged(values) : whole.value
  return { ...whole, ...(value ? { value } : {}), spent: paid.spent, calls: paid.calls, tallies: paid.tallies, cut }
}

/** At the sentence boundary nearest the middle. Undefined: a sentence is not divided. */
function halvesOf(brief: Extracting): readonly Extracting[] | undefined {
  const borders = sentences(brief.text)
    .slice(1)
    .map(({ start }) => start)
  const middle = brief.text.length / 2
  const [at] = borders.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
  return at === undefined ? undefined : [brief.text.slice(0, at), brief.text.slice(at)].map((text) => ({ ...brief, text }))
}

function droppedOf({ value, cut }: Tried<Stated<unknown>>): Dropped {
  return { ...(cut ? CUT : {}), ...(value && value.invented > 0 ? { statements: value.invented } : {}) }
}

function paidFor({ spent, calls, tallies }: Paid, brief: WrittenBrief): PaidFor {
  const forms = Object.keys(tallies).length > 0 ? { forms: { role: roleOf(brief), tallies } } : {}
  return { spent, calls: calls > 0 ? { [brief.kind]: calls } : {}, ...forms }
}

function vectorsOf(texts: readonly string[]): Spent {
  return { ...NOTHING, embedded: tokenBounds(texts) }
}

function one(vector: Vector | undefined): Vector {
  if (!vector) throw new Error('embedTexts returned fewer vectors than texts')
  return vector
}
