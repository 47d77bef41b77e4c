/**
 * What the tools of one MCP request are given: a client of our own API with the caller's key, and the corpora that the caller can
 * use.
 */
import type { Loam } from '../../client/client'
import type { Ctx } from '../context'
import { visibleUids } from '../principal'
import { insideClient } from './inside'

const MAX_CORPORA = 1000 // looked at to find those a caller can use

export interface Door {
  readonly loam: Loam
  readonly origin: string
  /** From `?corpus=`: the only one this connection is about; `loam` asks for no other. */
  readonly fixed: string | undefined
  /** Names the caller may see. */
  corpora(): Promise<readonly string[]>
}

export function doorOf(c: Ctx): Door {
  const { catalogue } = c.get('world')
  const uids = visibleUids(c.get('principal'))
  const fixed = c.req.query('corpus') || undefined
  return {
    loam: insideClient(c, fixed),
    origin: new URL(c.req.url).origin,
    fixed,
    corpora: async () => (fixed === undefined ? (await catalogue.corpora(uids, '', MAX_CORPORA)).map(({ name }) => name) : [fixed]),
  }
}
