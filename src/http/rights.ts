/** What a key may grant to others: nothing that it does not have, and not for longer. Pure. */

import type { KeyRecord } from '../ports/keys'
import { isoTime } from './iso-time'
import type { Principal } from './principal'
import type { Fault } from './problem'

export type Rights = Pick<KeyRecord, 'scopes' | 'corpora' | 'expires'>

/** Which of these rights exceed those of the granting key. */
export function excess(giver: Principal, { scopes, corpora, expires }: Rights): readonly Fault[] {
  const faults: Fault[] = []
  const beyond = giver.scopes.has('admin') ? [] : scopes.filter((scope) => !giver.scopes.has(scope))
  if (beyond.length > 0) faults.push({ path: 'scopes', message: `your key lacks ${beyond.join(', ')}` })
  const opened = giver.corpora
  if (opened !== null) {
    if (corpora === null) faults.push({ path: 'corpora', message: 'your key opens only some corpora' })
    else if (corpora.some(({ name, uid }) => opened.get(name) !== uid))
      faults.push({ path: 'corpora', message: 'your key does not open all of them' })
  }
  const { expires: end } = giver
  if (end !== null && (expires === null || expires > end)) {
    faults.push({ path: 'expires_at', message: `your key expires at ${isoTime(end)}` })
  }
  return faults
}
