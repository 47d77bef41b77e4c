/** Reaching the object of a corpus. The platform's RPC types are too deep for the compiler; the port says the same in one page. */
import type { OutboundObject } from '../outbound-ports'
import type { CorpusObject } from '../ports'

/** As much of a namespace as is used here. */
export interface Namespace {
  getByName(name: string): unknown
}

export function corpusOf(namespace: Namespace, uid: string): CorpusObject {
  return namespace.getByName(uid) as CorpusObject
}

/** The same object, seen by who carries things to and fro. */
export function outboundOf(namespace: Namespace, uid: string): OutboundObject {
  return namespace.getByName(uid) as OutboundObject
}
