/**
 * A label given without a description is described by the text model from its examples (GORAG Algorithm 1, lines 5 to 9); without a model its
 * name and strongest keywords must do. A model that is down, over budget or says nothing costs the description, never the label.
 */
import { labelBrief } from '../core/strategies/gorag/brief'
import type { CorpusObject, Models, Spent } from '../ports'
import { Meter } from './meter'
import { usdOf } from './prices'
import { asking } from './prompts'
import { writingOf } from './purse'

export interface Described {
  /** Empty where none was given and none could be written. */
  readonly description: string
  readonly spent: Spent
}

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }
const LONGEST = 400 // characters kept of a model's description

export async function describeLabel(
  { corpus, models }: { readonly corpus: CorpusObject; readonly models: Models },
  label: { readonly id: string; readonly description: string; readonly examples: readonly string[] },
): Promise<Described> {
  const brief = labelBrief(label)
  const given = { description: label.description, spent: NOTHING }
  if (!models.text || !brief) return given
  const { messages, tokens } = asking(brief)
  const meter = new Meter(Date.now)
  meter.hold(await corpus.purse())
  if (!meter.affords('describe', writingOf(messages, tokens), (stage, spent) => usdOf(models, spent, stage))) return given
  try {
    const { text, spent } = await models.write(messages, { tokens })
    return { description: text.replace(/\s+/g, ' ').trim().slice(0, LONGEST), spent }
  } catch {
    return given
  }
}
