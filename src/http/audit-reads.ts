/** Reads, where a corpus wants them in its audit log: entered before they are answered. */
import { actorOf, type Ctx, objectOf } from './context'
import { idAt } from './path'

const WHAT = 4 // place of what stands behind the corpus's name in /v1/corpora/{corpus}/…

/** `read.search`, `read.documents` and so on, by what the path says behind the corpus's name. */
export async function enterRead(c: Ctx): Promise<void> {
  const [what = 'corpus', id] = new URL(c.req.url).pathname.split('/').slice(WHAT)
  const document = what === 'documents' && id !== undefined ? { document: idAt(c, WHAT) } : {}
  await objectOf(c).noteAudit([{ action: `read.${what}`, outcome: 'asked', ...document }], actorOf(c))
}
