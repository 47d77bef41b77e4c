/** Which model writes what: a role's own, else the text model. */
import type { Brief } from '../core/strategy'
import type { Models, TextModel, WriterRole } from '../ports/models'

type Writers = Pick<Models, 'text' | 'roles'>

/** Null: there is none. */
export function writerFor({ text, roles }: Writers, role: WriterRole): TextModel | null {
  return roles?.[role] ?? text
}

export function roleOf(brief: Exclude<Brief, { kind: 'embed' }>): WriterRole {
  if (brief.kind === 'extract') return 'extract'
  return brief.kind === 'summarize' && brief.role !== 'segment' ? 'describe' : 'summarise'
}

/** Tokens any of them may take beyond the room of its reply. */
export function thinkingTokensOf({ text, roles = {} }: Writers): number {
  return Math.max(0, ...[text, ...Object.values(roles)].map((model) => model?.thinkingTokens ?? 0))
}

/** What replies depend on: the model of each role that writes while a corpus is indexed. */
export function indexingWriters({ text, roles = {} }: Writers): string {
  const own = (['extract', 'summarise', 'describe'] as const).flatMap((role) => (roles[role] ? [`${role}=${roles[role].id}`] : []))
  return [text?.id ?? '-', ...own].join(' ')
}
