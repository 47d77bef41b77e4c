/** What the object and the flows are told of a corpus. */
import { pricesOf } from '../flows/prices'
import type { CorpusRecord } from '../ports/catalogue'
import type { CorpusConfig } from '../ports/corpus'
import type { Wired } from './wired'

export function configOf({ models, judge }: Wired, record: CorpusRecord): CorpusConfig {
  const { uid, name, strategies, budget, database, defaultAccess } = record
  const config = { uid, name, strategies, settings: record.settings, budget, prices: pricesOf(models, judge) }
  return {
    ...config,
    ...(database === undefined ? {} : { database }),
    ...(defaultAccess === undefined ? {} : { defaultAccess }),
    ...(record.audit ? { audit: record.audit } : {}),
  }
}
