/**
 * A label given without a description is described by the text model from its examples (GORAG Algorithm 1, lines 5 to 9); without a model its
 * name and strongest keywords must do. A model that is down, over budget or says nothing costs the description, never the label.
 */
import { labelBrief } from '../core/strategies/gorag/brief'
import type { Models } from '../ports/models'
import type { Allowance } from './allowance'
import { writingBound } from './call-bounds'
import { taskPrompt } from './prompts'

const MAX_DESCRIPTION = 400 // characters kept of a model's description

/** Empty where none was given and none could be written. */
export async function describeLabel(
  models: Models,
  label: { readonly id: string; readonly description: string; readonly examples: readonly string[] },
  allowance: Allowance,
): Promise<string> {
  const brief = labelBrief(label)
  if (!models.text || !brief) return label.description
  const { messages, tokens } = taskPrompt(brief)
  const call = await allowance.begin('describe', writingBound(models, messages, tokens))
  if (!call) return label.description
  try {
    const { text, spent } = await models.write(messages, { tokens, role: 'describe', mayRepeat: call.mayRepeat })
    call.paid(spent)
    return text.replace(/\s+/g, ' ').trim().slice(0, MAX_DESCRIPTION)
  } catch (error) {
    call.failed(error)
    return label.description
  }
}
