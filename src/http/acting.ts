/** Each call to an object that changes something says who makes it: the object records that in its audit log with the change. */
import type { Actor } from '../ports/audit'
import type { ConversationObject } from '../ports/conversations'
import type { CorpusObject } from '../ports/object'
import type { OutboundObject } from '../ports/outbound'
import type { SeeingObject } from '../ports/seeing'

type Calls = CorpusObject & OutboundObject & SeeingObject & ConversationObject

/** The number of arguments before `by`, for a call that ends with it. */
type PlaceOfActor<Call> = Call extends (...given: infer Given) => unknown
  ? Required<Given> extends readonly [...infer Before, Actor]
    ? Before['length']
    : never
  : never

/**
 * All calls that can be told who makes them; those that record something always are. A missing call, or a wrong place, does not
 * compile.
 */
type Places = {
  readonly [call in Exclude<keyof Calls, 'noteAudit' | 'noteQuestion'> as PlaceOfActor<Calls[call]> extends never
    ? never
    : call]: PlaceOfActor<Calls[call]>
}

const PLACES: Places = {
  configure: 1,
  accept: 1,
  maintain: 2,
  migrate: 1,
  repartition: 1,
  restore: 1,
  setAccess: 3,
  setLanguage: 3,
  correctChunk: 2,
  putProbes: 3,
  cancel: 1,
  retry: 1,
  charge: 2,
  forgetQuestion: 1,
  forgetConversations: 1,
  putAlerts: 1,
  testAlert: 0,
  putFilter: 2,
  changeFilter: 2,
  putLabel: 1,
  dropLabel: 1,
  learn: 1,
  unlearn: 1,
  partEntities: 2,
  decide: 2,
  undecide: 1,
  addEndpoint: 1,
  renewEndpoint: 2,
  removeEndpoint: 1,
  redeliver: 1,
  addSource: 1,
  removeSource: 2,
  askSource: 2,
}

export function callAs<T extends object>(object: T, by: Actor): T {
  return new Proxy(object, {
    get(target, call) {
      const method: unknown = Reflect.get(target, call)
      const place = (PLACES as { readonly [call: string | symbol]: number | undefined })[call]
      if (typeof method !== 'function') return method
      if (place === undefined) return method.bind(target)
      return (...given: unknown[]) => method.apply(target, [...Array.from({ length: place }, (_, i) => given[i]), by])
    },
  })
}
