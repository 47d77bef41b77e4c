/** Namespaces of objects with jurisdictions, which workerd lacks: within a jurisdiction, a name refers to another object. */
import type { Namespace } from '../../src/adapters/corpus'
import { objectPlaces } from '../../src/platform-limits'
import { counted } from './service'

/** The options with which objects were requested, oldest first. */
export const reached: { readonly name: string; readonly jurisdiction?: string; readonly locationHint?: string }[] = []

const KEPT = 1000 // of them

export function withJurisdictions(inner: Namespace, jurisdiction?: string): Namespace {
  return {
    getByName(name, { locationHint } = {}) {
      if (reached.length >= KEPT) reached.shift()
      reached.push({ name, ...(jurisdiction ? { jurisdiction } : {}), ...(locationHint ? { locationHint } : {}) })
      return counted(inner.getByName(jurisdiction ? `${jurisdiction} ${name}` : name) as object, { connects: false })
    },
    jurisdiction(named) {
      if (!objectPlaces.jurisdictions.some((one) => one === named)) throw new TypeError(`Invalid jurisdiction: ${named}`)
      return withJurisdictions(inner, named)
    },
  }
}

/** A namespace whose objects' calls are counted; nothing else changes. */
export function countedNamespace(inner: Namespace): Namespace {
  return { getByName: (name, options) => counted(inner.getByName(name, options) as object, { connects: false }) }
}
