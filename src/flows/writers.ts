/** Which model writes what: a role's own, or else the text model. */
import type { WrittenBrief } from '../core/strategy'
import { type Models, type PromptForm, type TextModel, type WriterRole, writerRoles } from '../ports/models'
import type { Round } from '../ports/tasks'

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
export function formFor({ id, window, form }: TextModel): PromptForm {
  if (form) return form
  const [, size = '', unit = ''] = /(?:^|[^\d.a-z])(\d+(?:\.\d+)?)([mb])(?![a-z\d])/i.exec(id) ?? []
  const parameters = size === '' ? Number.POSITIVE_INFINITY : Number(size) * (unit.toLowerCase() === 'b' ? 1e9 : 1e6)
  return window <= small.window || parameters <= small.parameters ? 'short' : 'full'
}

/** The most tokens that any of them, or one that a corpus may choose, may take beyond the limit of its reply. */
export function thinkingTokensOf({ text, roles = {}, choices = [] }: Writers & Pick<Models, 'choices'>): number {
  return Math.max(0, ...[text, ...Object.values(roles), ...choices].map((model) => model?.thinkingTokens ?? 0))
}

/**
 * The same models, asked as their replies have shown to be best: in the short form where that works better for a role, and once where
 * replies are hardly ever usable.
 */
export function asTallied<M extends Writers>(models: M, { short = [], once = [] }: Pick<Round, 'short' | 'once'>): M {
  const own = writerRoles.flatMap((role) => {
    const writer = writerFor(models, role)
    const asked = { ...(short.includes(role) ? { form: 'short' as const } : {}), ...(once.includes(role) ? { tries: 1 } : {}) }
    return writer && Object.keys(asked).length > 0 ? [[role, { ...writer, ...asked }] as const] : []
  })
  return own.length === 0 ? models : { ...models, roles: { ...models.roles, ...Object.fromEntries(own) } }
}

/** What replies depend on: the model of each role that writes while a corpus is indexed. */
export function indexingWriters({ text, roles = {} }: Writers): string {
  const own = (['extract', 'summarise', 'describe'] as const).flatMap((role) => (roles[role] ? [`${role}=${named(roles[role])}`] : []))
  return [text ? named(text) : '-', ...own].join(' ')
}

function named(model: TextModel): string {
  return formFor(model) === 'short' ? `${model.id}/short` : model.id
}
