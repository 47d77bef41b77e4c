/** Which model writes what: a role's own, else the text model. */
import type { WrittenBrief } from '../core/strategy'
import type { Models, TextModel, WriterRole } from '../ports/models'
import type { PromptForm } from './prompts'

/** A model so small is given the short form of each prompt. */
const small = { window: 4096, parameters: 1e9 } as const

type Writers = Pick<Models, 'text' | 'roles'>

/** Null: there is none. */
export function writerFor({ text, roles }: Writers, role: WriterRole): TextModel | null {
  return roles?.[role] ?? text
}

export function roleOf(brief: WrittenBrief): WriterRole {
  if (brief.kind === 'extract') return 'extract'
  return brief.kind === 'summarize' && brief.role !== 'segment' ? 'describe' : 'summarise'
}

/** The form of prompt that suits it. */
export function formFor({ id, window }: TextModel): PromptForm {
  const [, size = '', unit = ''] = /(?:^|[^\d.a-z])(\d+(?:\.\d+)?)([mb])(?![a-z\d])/i.exec(id) ?? []
  const parameters = size === '' ? Number.POSITIVE_INFINITY : Number(size) * (unit.toLowerCase() === 'b' ? 1e9 : 1e6)
  return window <= small.window || parameters <= small.parameters ? 'short' : 'full'
}

/** Tokens any of them may take beyond the room of its reply. */
export function thinkingTokensOf({ text, roles = {} }: Writers): number {
  return Math.max(0, ...[text, ...Object.values(roles)].map((model) => model?.thinkingTokens ?? 0))
}

/** What replies depend on: the model of each role that writes while a corpus is indexed. */
export function indexingWriters({ text, roles = {} }: Writers): string {
  const own = (['extract', 'summarise', 'describe'] as const).flatMap((role) => (roles[role] ? [`${role}=${named(roles[role])}`] : []))
  return [text ? named(text) : '-', ...own].join(' ')
}

function named(model: TextModel): string {
  return formFor(model) === 'short' ? `${model.id}/short` : model.id
}
