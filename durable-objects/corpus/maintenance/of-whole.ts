/** What the object of a corpus in partitions asks them, in its alarm. */
import type { CorpusObject } from '../../../src/ports/object'
import type { AskProbe } from '../../../src/ports/probes'
import type { CorpusContext } from '../store'
import { askProbes } from './ask-probes'
import { settle } from './take-reports'

export interface Asked {
  readonly corpus?: (uid: string) => Pick<CorpusObject, 'view'>
  readonly askProbe?: AskProbe
}

export async function workOfWhole(context: CorpusContext, { corpus, askProbe }: Asked, until: number): Promise<void> {
  await settle(context, corpus)
  await askProbes(context, askProbe, until)
}
