/**
 * Instructions for extraction as a text model proposes them for a collection: its prompt, and which parts of its reply are kept. Documents
 * are fenced, and whatever one may have talked the model into is a few short lines that people read before they are set. Pure.
 */
import { z } from 'zod'
import { MAX_GUIDANCE } from '../core/guidance'
import { invalid } from './faults'
import { fenceTexts } from './fence'
import { folded } from './occurs'
import { instructed, instructionTurns } from './prompt-examples'
import type { TaskPrompt } from './prompts'
import { line } from './replies'
import { isEcho, isRefusal, withoutLoop } from './reply-checks'
import { parseJson } from './reply-json'

const ROOM = 500 // tokens in the reply
const max = { items: 6, item: 140, domain: 140 } as const // characters

const LAW = [
  'The material is a sample of the texts of one collection. People and relations are going to be drawn from the whole collection by a model that reads one passage at a time. Say how it should read this collection. Reply with JSON.',
  '"domain": what the texts are about and who writes them for whom, in one phrase.',
  `"draw": at most ${max.items} instructions on what to draw from such texts: which things, and which facts about them matter here.`,
  `"leave_out": at most ${max.items} instructions on what such texts name and is of no use.`,
  'Each instruction is one short phrase, and about this collection. Write in the language of the material.',
] as const

const TEXT = { type: 'string' } as const
const LINES = { type: 'array', items: TEXT, maxItems: max.items } as const
const SCHEMA = {
  type: 'object',
  properties: { domain: TEXT, draw: LINES, leave_out: LINES },
  required: ['domain', 'draw', 'leave_out'],
  additionalProperties: false,
} as const

export function instructionsPrompt(texts: readonly string[]): TaskPrompt {
  const { law, block } = fenceTexts(texts)
  return {
    messages: [{ role: 'system', content: [...LAW, law].join('\n') }, ...instructionTurns(), { role: 'user', content: block }],
    tokens: ROOM,
    schema: SCHEMA,
  }
}

const text = z.preprocess((value) => (typeof value === 'string' ? value : ''), z.string())
const rows = z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(z.unknown()))
const Reply = z.object({ domain: text, draw: rows, leave_out: rows })

export interface Instructions {
  readonly domain: string | null
  /** In the form in which an owner would write it. */
  readonly guidance: string
  readonly dropped: number
}

const OURS: ReadonlySet<string> = new Set([instructed.domain, ...instructed.draw, ...instructed.leave_out].map(folded))

/** Throws a `ModelError invalid` if nothing of it can be kept. */
export function parseInstructions(reply: string, texts: readonly string[]): Instructions {
  const parsed = Reply.safeParse(parseJson(withoutLoop(reply).text))
  if (!parsed.success) throw invalid('form')
  const { data } = parsed
  const material = texts.join('\n')
  const stands = (raw: unknown, most: number): string | undefined => {
    const said = typeof raw === 'string' ? line(raw, most + 1).replace(/[\s.;]+$/u, '') : ''
    const isOfUse = /\p{L}/u.test(said) && said.length <= most && !OURS.has(folded(said))
    return isOfUse && !isRefusal(said, material) && !isEcho(said, LAW.join('\n'), material) ? said : undefined
  }
  const domain = stands(data.domain, max.domain)
  const draw = distinct(data.draw.flatMap((one) => stands(one, max.item) ?? []))
  const leaveOut = distinct(data.leave_out.flatMap((one) => stands(one, max.item) ?? [])).filter((one) => !draw.includes(one))
  const said = data.draw.length + data.leave_out.length + (data.domain.trim() === '' ? 0 : 1)
  const guidance = within([domain, draw, leaveOut])
  if (draw.length + leaveOut.length === 0) throw invalid(said > 0 ? 'unsupported' : 'empty')
  return { domain: domain ?? null, guidance, dropped: said - draw.length - leaveOut.length - (domain === undefined ? 0 : 1) }
}

function distinct(all: readonly string[]): readonly string[] {
  return all.filter((one, i) => all.findIndex((before) => folded(before) === folded(one)) === i).slice(0, max.items)
}

/** As much of it as guidance may hold; the last lines are dropped first. */
function within([domain, draw, leaveOut]: readonly [string | undefined, readonly string[], readonly string[]]): string {
  const lists = [...draw.map((one) => ['Draw', one] as const), ...leaveOut.map((one) => ['Leave out', one] as const)]
  for (let kept = lists.length; ; kept--) {
    const shown = lists.slice(0, kept)
    const lined = (head: string): readonly string[] => {
      const own = shown.flatMap(([list, one]) => (list === head ? [one] : []))
      return own.length > 0 ? [`${head}: ${own.join('; ')}.`] : []
    }
    const whole = [...(domain === undefined ? [] : [`These texts: ${domain}.`]), ...lined('Draw'), ...lined('Leave out')].join('\n')
    if (whole.length <= MAX_GUIDANCE || kept === 0) return whole
  }
}
