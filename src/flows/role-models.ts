/** The deployment's models with those that a corpus has chosen for some roles. One that is no longer offered is ignored: the deployment's model writes. */
import type { RoleModels } from '../core/settings'
import { type Models, type TextModel, type WriterRole, writerRoles } from '../ports/models'

/** The same models if nothing is chosen. */
export function withRoleModels(models: Models, chosen: RoleModels = {}): Models {
  const own = writerRoles.flatMap((role) => {
    const model = offered(models, chosen[role])
    return model ? [[role, model] as const] : []
  })
  if (own.length === 0) return models
  const roles: { readonly [role in WriterRole]?: TextModel } = Object.fromEntries(own)
  const named = (role: WriterRole | undefined) => {
    const model = role && roles[role]
    return model ? { model: model.id } : {}
  }
  return {
    ...models,
    roles: { ...models.roles, ...roles },
    write: (messages, options) => models.write(messages, { ...options, ...named(options.role) }),
    stream: (messages, options) => models.stream(messages, { ...options, ...named(options.role) }),
  }
}

/** The judge that a corpus has chosen, or else the deployment's. */
export function judgeWith(models: Models, judge: Models | null, { judge: chosen }: RoleModels = {}): Models | null {
  const [asked, text] = [judge, models].flatMap((one) => {
    const model = one && offered(one, chosen)
    return model ? [[one, model] as const] : []
  })[0] ?? [null, null]
  if (!asked) return judge
  return { ...asked, text, roles: {}, write: (messages, options) => asked.write(messages, { ...options, model: text.id }) }
}

function offered({ choices = [] }: Models, id: string | undefined): TextModel | undefined {
  return id === undefined ? undefined : choices.find((one) => one.id === id)
}
