/**
 * One runtime serves all files of a project, and a corpus goes on after the test that made it: its alarm tells the sinks, its runner asks
 * the models. Left alone it would meet the faults, the scripts and the `fetch` of the next file. So a file ends when its corpora have.
 */
import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { CorpusView } from '../../src/ports/corpus'
import { indexed } from './corpora'
import { eventually } from './waiting'

const SOON = 10_000 // ms; a corpus with work left looks again sooner, others only at how far the index is

const { CORPUS } = env as unknown as { CORPUS: DurableObjectNamespace }
interface Whole {
  asWhole(name: string): Promise<unknown>
}

const silent = new Set<string>()

/** Waits until no corpus has work left, and lets none wake by itself any more. */
export async function quiet(): Promise<void> {
  const all = (await listDurableObjectIds(CORPUS)).filter((id) => !silent.has(String(id)))
  await Promise.all(all.map((id) => done(CORPUS.get(id))))
  for (const id of all) silent.add(String(id))
}

async function done(stub: DurableObjectStub): Promise<void> {
  let seen = ''
  const what = () => `corpus ${seen} to come to rest`
  await eventually(what, async () => {
    await indexed() // a corpus that is forgotten waits until the index shows it
    // The next look of the object's own is up to five seconds away.
    if (seen === '' || seen.endsWith('owing')) await runDurableObjectAlarm(stub)
    const state = await runInDurableObject(stub, async (object, { storage }) => {
      const view = (await (object as unknown as Whole).asWhole('view')) as CorpusView | null // divided or not
      const alarm = await storage.getAlarm()
      if (view?.status === 'indexing') return 'indexing'
      if (alarm !== null && alarm < Date.now() + SOON) return 'owing'
      await storage.deleteAlarm()
      return 'at rest'
    })
    seen = `${stub.name ?? stub.id}: ${state}`
    return state === 'at rest' || undefined
  })
}
