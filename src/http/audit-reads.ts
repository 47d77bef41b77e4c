/** Reads, where a corpus wants them in its audit log: entered before they are answered. */
import { actorOf, type Ctx, objectOf } from './context'
import { namesInPath } from './parameters'
import { idOf } from './path'

const WHAT = 4 // place of what stands behind the corpus's name in /v1/corpora/{corpus}/…

/** `read.search`, `read.documents` and so on, by what the route's path says behind the corpus's name. */
export async function enterRead(c: Ctx): Promise<void> {
  const { path } = c.get('operation')
  const what = path.split('/')[WHAT] ?? 'corpus'
  const document = namesInPath(path).includes('document') ? { document: idOf(c, 'document') } : {}
  await objectOf(c).noteAudit([{ action: `read.${what}`, outcome: 'asked', ...document }], actorOf(c))
}
