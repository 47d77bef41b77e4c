/** What the object and the flows are told about a corpus. */
import { isOfPrevious, modelsFor } from '../flows/embedding-model'
import { pricesOf } from '../flows/prices'
import { judgeWith, withRoleModels } from '../flows/role-models'
import type { CorpusRecord } from '../ports/catalogue'
import type { CorpusConfig } from '../ports/corpus'
import type { Wired } from './wired'

/** The models and the index that the corpus's vectors belong to. Refused if the deployment does not have them. */
export function embeddingFor({ models, index, previousIndex }: Wired, { settings }: Pick<CorpusConfig, 'settings'>) {
  const isBefore = isOfPrevious(models, settings) && previousIndex !== null
  return { models: withRoleModels(modelsFor(models, settings), settings.roleModels), index: isBefore ? previousIndex : index }
}

export function configOf({ models, judge, transcriber, seer }: Wired, record: CorpusRecord): CorpusConfig {
  const { uid, name, strategies, budget, database, defaultAccess } = record
  const own = withRoleModels(models, record.settings.roleModels)
  const reader = judgeWith(models, judge, record.settings.roleModels)
  const prices = pricesOf(own, reader, transcriber, seer)
  const config = { uid, name, strategies, settings: record.settings, budget, prices }
  return {
    ...config,
    ...(database === undefined ? {} : { database }),
    ...(defaultAccess === undefined ? {} : { defaultAccess }),
    ...(record.audit ? { audit: record.audit } : {}),
    ...(reader?.text ? { hasJudge: true as const } : {}),
  }
}
