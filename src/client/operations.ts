/**
 * Calls by the id of their operation: method, path and the names of parameters come from the list of operations. An id that is none, a part of the
 * path that is missing, or a parameter the operation does not have, does not compile.
 */

import { type OperationId, operations } from '../contract/operations'
import { jsonOf } from './answer'
import type { Call, Send } from './send'

type Path<Id extends OperationId> = (typeof operations)[Id]['path']
type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

type Value = NonNullable<Call['query']>[string]

interface Sent<Id extends OperationId> extends Omit<Call, 'query'> {
  readonly query?: { readonly [name in (typeof operations)[Id]['query'][number]]?: Value }
}

/** `Given`: names of the path that are known already. */
type Arguments<Id extends OperationId, Given extends string> = [Exclude<NamesIn<Path<Id>>, Given>] extends [never]
  ? [sent?: Sent<Id>]
  : [sent: Sent<Id> & { readonly path: { readonly [name in Exclude<NamesIn<Path<Id>>, Given>]: string } }]

export type FetchOperation<Given extends string = never> = <Id extends OperationId>(
  id: Id,
  ...sent: Arguments<Id, Given>
) => Promise<Response>

/** The answer read as JSON; nothing, where it has no body. */
export type CallOperation<Given extends string = never> = <T, Id extends OperationId>(id: Id, ...sent: Arguments<Id, Given>) => Promise<T>

export type CallCorpus = CallOperation<'corpus'>

interface AnySent extends Call {
  readonly path?: { readonly [name: string]: string }
}

export function fetchOperations<Given extends string = never>(
  send: Send,
  given: { readonly [name in Given]: string },
): FetchOperation<Given> {
  return (id, ...[sent]) => {
    const { path: own, ...call }: AnySent = sent ?? {}
    const { method, path } = operations[id]
    const values: { readonly [name: string]: string } = { ...given, ...own }
    return send(
      method,
      path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]?.toWellFormed() ?? '')),
      call,
    )
  }
}

export function callOperations<Given extends string = never>(fetch: FetchOperation<Given>): CallOperation<Given> {
  const call = async <Id extends OperationId>(id: Id, ...sent: Arguments<Id, Given>): Promise<unknown> => {
    const response = await fetch(id, ...sent)
    return response.status === 204 ? undefined : await jsonOf(response)
  }
  return call as CallOperation<Given> // what is answered, the caller says
}
