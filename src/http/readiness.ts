/** Whether the databases answer, checked again only now and then, because anyone may ask. */
import type { Wired } from './wired'

export const READY_EVERY = 5000 // ms

export interface Parts {
  readonly control: 'ok' | 'unavailable'
  readonly data: 'ok' | 'full' | 'unavailable'
}

type World = Pick<Wired, 'catalogue' | 'pool' | 'now'>

/** The result of one request is reused by others of the isolate; none waits for another's promise. */
export function createReadiness(): (world: World) => Promise<Parts> {
  let last: { readonly at: number; readonly parts: Parts } | undefined
  return async (world) => {
    const at = world.now()
    if (!last || at - last.at >= READY_EVERY) last = { at, parts: await askParts(world) }
    return last.parts
  }
}

async function askParts({ catalogue, pool }: World): Promise<Parts> {
  const [control, data] = await Promise.allSettled([catalogue.hasCorpora(1), pool.choose()])
  return {
    control: control.status === 'fulfilled' ? 'ok' : 'unavailable',
    data: data.status === 'rejected' ? 'unavailable' : data.value === null ? 'full' : 'ok',
  }
}
