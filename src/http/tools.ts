/** Functions that a question brings along: what the answering model is given of them, or why it cannot use them. */

import type { Tool } from '../contract/tools'
import { TOOL_MODELS, type ToolChoice, type ToolTurn, type ToolUse } from '../contract/tools'
import { tooMuchFor } from '../flows/tools'
import { writerFor } from '../flows/writers'
import type { Models } from '../ports/models'
import { Problem } from './problem'

interface Body {
  readonly tools?: readonly Tool[] | undefined
  readonly tool_choice?: ToolChoice | 'none' | undefined
  readonly tool_turns?: readonly ToolTurn[] | undefined
}

/** Undefined: there is nothing to call and nothing was called. */
export function toolsOf({ tools = [], tool_choice: choice = 'auto', tool_turns: turns = [] }: Body): ToolUse | undefined {
  const offered = choice === 'none' ? [] : tools
  if (offered.length === 0 && turns.length === 0) return undefined
  return { tools: offered, choice: choice === 'none' ? 'auto' : choice, turns }
}

/** Refuses what the answering model cannot do, before anything is searched for. */
export function requireCallable(models: Pick<Models, 'text' | 'roles'>, body: Body): void {
  const { tools = [], tool_choice: choice } = body
  if (typeof choice === 'object' && !tools.some(({ name }) => name === choice.name))
    throw unfit('tool_choice', `there is no tool ${choice.name}`)
  if (choice === 'required' && tools.length === 0) throw unfit('tool_choice', '`required` needs tools, and none are given')
  const use = toolsOf(body)
  if (!use) return
  const writer = writerFor(models, 'answer')
  if (!writer?.callsTools) {
    const who = writer
      ? `${writer.id}, which answers here, cannot call tools`
      : 'this deployment answers without a text model, so no tool can be called'
    throw unfit('tools', `${who}. Models that can: ${TOOL_MODELS.join(', ')}, and those named in TOOL_MODELS (docs/models.md)`)
  }
  const excess = tooMuchFor(use, writer.window)
  if (excess) throw unfit('tools', `with what they returned they take ${excess.tokens} tokens; ${writer.id} has room for ${excess.most}`)
}

function unfit(path: string, message: string): Problem {
  return new Problem('invalid', 'The tools are not valid; see `errors`.', { errors: [{ path, message }] })
}
