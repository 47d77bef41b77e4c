/** Reads, if a corpus wants them in its audit log: recorded before they are answered. */
import type { CorpusRecord } from '../ports/catalogue'
import { callAs } from './acting'
import { actorOf, type Ctx, objectOf } from './context'
import { namesInPath } from './parameters'
import { idOf } from './path'

const WHAT = 4 // index of the part after the corpus's name in /v1/corpora/{corpus}/…

/** A question that names its corpora in the body. */
export async function enterReadOf(c: Ctx, { uid }: Pick<CorpusRecord, 'uid'>): Promise<void> {
  const what = c.get('operation').path.split('/').at(-1) ?? 'search'
  await callAs(c.get('world').corpus(uid), actorOf(c)).noteAudit([{ action: `read.${what}`, outcome: 'asked' }], actorOf(c))
}

/** `read.search`, `read.documents` and so on, by the part of the route's path after the corpus's name. */
export async function enterRead(c: Ctx): Promise<void> {
  const { path } = c.get('operation')
  const what = path.split('/')[WHAT] ?? 'corpus'
  const document = namesInPath(path).includes('document') ? { document: idOf(c, 'document') } : {}
  await objectOf(c).noteAudit([{ action: `read.${what}`, outcome: 'asked', ...document }], actorOf(c))
}
