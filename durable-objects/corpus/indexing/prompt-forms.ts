/**
 * Which form of a prompt suits a role: the full one, unless its replies are often unusable and those to the short one are more often usable. Counted by
 * role as replies arrive, for the models and prompts of the corpus's settings; other models start again. The same counts show where asking is useless.
 */
import { PROMPTS } from '../../../src/core/prompt-version'
import { type WriterRole, writerRoles } from '../../../src/ports/models'
import type { FormTallies, FormTally, TaskResult } from '../../../src/ports/tasks'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { PromptForms } from '../tables/replies'
import { recordOntologyFit } from './ontology-fit'

const limits = {
  replies: 20, // to a form, from which its share is trusted
  used: 0.7, // share of usable replies to the full form, below which the short one is tried
  hopeless: { replies: 30, used: 0.05 }, // to both forms: from this many replies on, below this share, asking again about the same text is useless
  remembered: 200, // replies to a form; then both counts are halved, so that the latest weigh most
} as const

/** What a text does not say, or a reply says in circles. What an ontology excludes is counted with it. */
const LEFT_OUT = ['entities', 'relations', 'units', 'statements', 'repeated'] as const

/** What replies tell about prompts. Runs inside a transaction. */
export function recordReplies(context: CorpusContext, results: readonly TaskResult[]): void {
  recordOntologyFit(context, results)
  const found = results.flatMap(({ forms, dropped }) => (forms ? { ...forms, dropped } : []))
  if (found.length === 0) return
  const roles: { [role in WriterRole]?: FormTallies } = { ...formsOf(context) }
  const leftOut: { [role in WriterRole]?: { [kind: string]: number } } = { ...leftOutOf(context) }
  for (const { role, tallies, dropped = {} } of found) {
    const before = roles[role] ?? {}
    const forms = (['full', 'short'] as const).filter((form) => before[form] || tallies[form])
    roles[role] = Object.fromEntries(forms.map((form) => [form, sum(before[form], tallies[form])]))
    for (const kind of LEFT_OUT) {
      if (dropped[kind]) leftOut[role] = { ...leftOut[role], [kind]: (leftOut[role]?.[kind] ?? 0) + dropped[kind] }
    }
  }
  writeMeta(context.sql, metaKeys.promptForms, { models: asked(context), roles, leftOut })
}

/** What was left out of usable replies, by role and kind. */
export function leftOutOf({ sql, config }: Pick<CorpusContext, 'sql' | 'config'>): NonNullable<PromptForms['leftOut']> {
  const kept = readMeta(sql, metaKeys.promptForms)
  return kept?.models === asked({ config }) ? (kept.leftOut ?? {}) : {}
}

/** The outcome of replies by role. */
export function formsOf({ sql, config }: Pick<CorpusContext, 'sql' | 'config'>): { readonly [role in WriterRole]?: FormTallies } {
  const kept = readMeta(sql, metaKeys.promptForms)
  return kept?.models === asked({ config }) ? kept.roles : {}
}

/** Models and prompts. */
function asked({ config }: Pick<CorpusContext, 'config'>): string {
  const { models, roleModels = {} } = config.settings
  const chosen = Object.entries(roleModels).map(([role, model]) => `${role}=${model}`)
  return [models, ...chosen.sort(), PROMPTS].join(' ')
}

/** Roles that are given the short form whatever their model's name says. */
export function shortRoles(context: Pick<CorpusContext, 'sql' | 'config'>): readonly WriterRole[] {
  const forms = formsOf(context)
  return writerRoles.filter((role) => {
    const { full, short } = forms[role] ?? {}
    if (!full || full.asked < limits.replies || shareOf(full) >= limits.used) return false
    return !short || short.asked < limits.replies || shareOf(short) > shareOf(full)
  })
}

/** Roles with hardly any usable replies: asked once about each text, until more are usable. */
export function onceRoles(context: Pick<CorpusContext, 'sql' | 'config'>): readonly WriterRole[] {
  const forms = formsOf(context)
  return writerRoles.filter((role) => {
    const { full, short } = forms[role] ?? {}
    const both = { asked: (full?.asked ?? 0) + (short?.asked ?? 0), used: (full?.used ?? 0) + (short?.used ?? 0) }
    return both.asked >= limits.hopeless.replies && shareOf(both) < limits.hopeless.used
  })
}

function shareOf({ asked, used }: FormTally): number {
  return asked > 0 ? used / asked : 0
}

function sum(a: FormTally = { asked: 0, used: 0 }, b: FormTally = { asked: 0, used: 0 }): FormTally {
  const [asked, used, cut] = [a.asked + b.asked, a.used + b.used, (a.cut ?? 0) + (b.cut ?? 0)]
  const share = asked > limits.remembered ? 0.5 : 1
  const kept = { asked: Math.round(asked * share), used: Math.round(used * share) }
  return cut > 0 ? { ...kept, cut: Math.round(cut * share) } : kept
}
