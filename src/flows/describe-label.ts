/**
 * A label given without a description is described by the text model from its examples (GORAG Algorithm 1, lines 5 to 9); without a model, its name and
 * strongest keywords must suffice. If the model is down, over budget or says nothing, only the description is missing, never the label.
 */
import { labelBrief } from '../core/strategies/gorag/brief'
import type { Models } from '../ports/models'
import type { Allowance } from './allowance'
import { writingBound } from './call-bounds'
import { materialOf, taskPrompt } from './prompts'
import { type Asked, line, parseSummary } from './replies'

const MAX_DESCRIPTION = 400 // characters kept of a model's description

/** Empty if none was given and none could be written. */
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
    const { text, spent, truncated } = await models.write(messages, { tokens, role: 'describe', mayRepeat: call.mayRepeat })
    call.paid(spent)
    const asked = { instructions: messages[0]?.content ?? '', material: materialOf(brief), isCut: truncated === true }
    return described(text, asked) ?? label.description
  } catch (error) {
    call.failed(error)
    return label.description
  }
}

/** Complete sentences, as in a summary; undefined if the reply is unusable. */
function described(text: string, asked: Asked): string | undefined {
  try {
    return line(parseSummary(text, MAX_DESCRIPTION, asked), MAX_DESCRIPTION)
  } catch {
    return undefined
  }
}
