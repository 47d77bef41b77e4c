/** What a corpus that is deleted tells its replicas. */
import { expect, it } from 'vitest'
import { Followed } from '../../../durable-objects/corpus/replication/followed'
import { follow, release } from '../../../durable-objects/corpus/replication/writer'
import { metaKeys } from '../../../durable-objects/corpus/tables/meta'
import type { ReplicaName, Replication } from '../../../src/ports/replication'
import { mortalWorld } from './mortal-object'
import { logWorld, wake } from './replica-world'

async function toldOf(names: readonly string[], isEarlier = false): Promise<number[]> {
  const world = mortalWorld([])
  const { context } = wake(world)
  const told: number[] = []
  const replica = () => ({
    forget: async ({ number }: ReplicaName) => void told.push(number),
    poke: async () => {},
  })
  const followed = new Followed({ log: logWorld(), replica } as unknown as Replication, () => {})
  for (const name of names) follow(context, { replica: name, epoch: null, applied: null })
  for (const name of names) release(context, name)
  if (isEarlier) context.sql.run('DELETE FROM meta WHERE key = ?', metaKeys.mostReplicas.name)
  await followed.end(context)
  world.close()
  return told
}

it('[S2342] with the corpus each replica that ever followed is told to forget, and no other', async () => {
  expect(await toldOf([])).toEqual([])
  expect(await toldOf(['r2', 'r1', 'r6', 'r3'])).toEqual([1, 2, 3, 4, 5, 6])
  expect(await toldOf(['r1'], true)).toEqual([1, 2, 3, 4]) // an earlier release did not write it down
})
