/** How much of models' replies does not fit the corpus's ontology: counted as replies arrive, starting again with each new ontology. */
import type { CorpusHealth } from '../../../src/contract/health'
import { ontologyVersion } from '../../../src/core/ontology'
import type { TaskResult } from '../../../src/ports/tasks'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { OntologyFit } from '../tables/replies'

type Context = Pick<CorpusContext, 'sql' | 'config'>

/** Inside a transaction. */
export function recordOntologyFit(context: Context, results: readonly TaskResult[]): void {
  const { ontology } = context.config.settings.extraction
  const read = ontology ? results.filter(({ reply }) => reply.kind === 'extract') : []
  if (!ontology || read.length === 0) return
  const total = { ...fitOf(context, ontologyVersion(ontology)) }
  for (const { dropped = {} } of read) {
    total.read++
    total.types += dropped.types ?? 0
    total.kinds += dropped.kinds ?? 0
    total.typesOutside += dropped.types_outside ?? 0
    total.kindsOutside += dropped.kinds_outside ?? 0
  }
  writeMeta(context.sql, metaKeys.ontologyFit, total)
}

export function ontologyHealth(context: Context): CorpusHealth['ontology'] {
  const { ontology } = context.config.settings.extraction
  if (!ontology) return null
  const { read, types, typesOutside, kinds, kindsOutside } = fitOf(context, ontologyVersion(ontology))
  return {
    mode: ontology.mode,
    read,
    types: { dropped: types, outside: typesOutside },
    relations: { dropped: kinds, outside: kindsOutside },
  }
}

function fitOf({ sql }: Pick<Context, 'sql'>, version: string): OntologyFit {
  const known = readMeta(sql, metaKeys.ontologyFit)
  return known?.version === version ? known : { version, read: 0, types: 0, typesOutside: 0, kinds: 0, kindsOutside: 0 }
}
