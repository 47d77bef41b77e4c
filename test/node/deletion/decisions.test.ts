/** People's decisions over HTTP: in force at once in the object and in the read model, kept by a graph derived anew, audited, undone. */
import { expect, it } from 'vitest'
import { deployment } from './deployment'

const world = deployment()

const texts = [
  { id: 'a', text: 'Ada Brant built the Glass Harbour. Ada Brant slept in Oslo.' },
  { id: 'b', text: 'The Quiet Foundry was sold to Brant Works. Brant Works moved to Oslo.' },
  { id: 'c', text: 'Ada Brant came to Porto. Brant Works came to Porto too.' },
]
const name = 'decisions'

it('[Q708] entities are merged, split, renamed, hidden, pinned and related in any corpus; a rebuild keeps it, and each is undone by its number', async () => {
  expect((await call('PUT', '', { strategies: ['ketrag'] })).status).toBe(201)
  await done((await call('POST', '/documents:batch', { upserts: texts })).body.job)
  const [ada, works, oslo, porto] = await Promise.all(['Ada Brant', 'Brant Works', 'Oslo', 'Porto'].map(idOf))
  const merged = await call('POST', `/entities/${works}:merge`, { with: ada })
  expect(merged.body).toEqual({ status: 'done', decision: 1 })
  expect((await call('POST', `/entities/${works}:merge`, { with: ada })).body).toEqual({ status: 'unchanged', decision: 1 })
  const kept = [
    await call('POST', `/entities/${oslo}:rename`, { name: 'Christiania' }),
    await call('POST', `/entities/${porto}:pin`, {}),
    await call('POST', '/relations', { source: oslo, target: porto, description: 'sends ships to' }),
    await call('POST', `/entities/${await idOf('Quiet Foundry')}:hide`, {}),
  ]
  expect(kept.map(({ body }) => body)).toEqual([2, 3, 4, 5].map((decision) => ({ status: 'done', decision })))
  const look = async () => {
    await settled()
    const listed = (await call('GET', '/entities')).body.data as { id: string; text: string }[]
    const around = (await call('GET', `/graph?node=${oslo}`)).body as { edges: { kind: string; data?: { people?: unknown[] } }[] }
    return {
      first: listed[0]?.text,
      names: listed.map((one) => one.text).sort(),
      people: around.edges.flatMap((one) => one.data?.people ?? []),
    }
  }
  const seen = await look()
  expect(seen.first).toBe('Porto')
  expect(seen.names).toEqual(expect.arrayContaining(['Christiania', 'Ada Brant']))
  expect(seen.names).not.toEqual(expect.arrayContaining(['Brant Works']))
  expect(seen.names.join()).not.toContain('Foundry')
  expect(seen.people).toMatchObject([{ n: 4, source: 'people', description: 'sends ships to', by: expect.any(String) }])
  await done((await call('POST', ':rebuild', {})).body.job)
  expect(await look()).toEqual(seen)
  const list = (await call('GET', '/decisions')).body.data
  expect(list).toMatchObject([
    { n: 1, op: 'merge', name: 'Brant Works', other_name: 'Ada Brant' },
    { n: 2, op: 'rename', name: 'Oslo', text: 'Christiania' },
    { n: 3, op: 'pin', name: 'Porto' },
    { n: 4, op: 'relate', name: 'Oslo', other_name: 'Porto', strength: 5 },
    { n: 5, op: 'hide' },
  ])
  for (const n of [1, 2, 3, 4, 5]) expect((await call('DELETE', `/decisions/${n}`)).body).toEqual({ status: 'done', decision: n })
  expect((await call('DELETE', '/decisions/1')).body.code).toBe('decision_not_found')
  // Said more often than the one it is merged into, it is what both are shown as; the list still says which was which.
  expect((await call('POST', `/entities/${ada}:merge`, { with: porto })).body).toEqual({ status: 'done', decision: 6 })
  expect((await call('GET', '/decisions')).body.data).toMatchObject([{ n: 6, name: 'Ada Brant', other_name: 'Porto' }])
  expect((await call('DELETE', '/decisions/6')).body).toEqual({ status: 'done', decision: 6 })
  const after = await look()
  expect(after.names).toEqual(expect.arrayContaining(['Oslo', 'Brant Works', 'Ada Brant']))
  expect(after.people).toEqual([])
  const audit = (await call('GET', '/audit')).body.data as { action: string }[]
  expect(audit.map((one) => one.action)).toEqual(
    expect.arrayContaining(['entity.merge', 'entity.rename', 'entity.pin', 'relation.add', 'entity.hide', 'decision.undo']),
  )
})

it('[V2130] [V2133] [V2134] an entity that no rule finds is added, listed and described, kept by a rebuild, undone; what no text says is refused', async () => {
  const more = { type: 'event', description: 'Of a foundry.' }
  const added = await call('POST', '/entities', { name: ' was   sold ', ...more })
  expect(added.body).toMatchObject({ status: 'done', decision: expect.any(Number), entity: expect.stringMatching(/^e_/) })
  const { decision, entity } = added.body
  expect((await call('POST', '/entities', { name: 'was sold' })).body).toEqual({ status: 'unchanged', decision, entity })
  const look = async () => ({ id: await idOf('was sold'), told: (await call('GET', `/entities/${entity}`)).body })
  const seen = await look()
  const people = { decision, ...more, by: expect.any(String), at: expect.any(String) }
  expect(seen).toMatchObject({ id: entity, told: { name: 'was sold', people, documents: ['b'] } })
  expect((await call('GET', '/decisions')).body.data).toMatchObject([{ n: decision, op: 'add', text: 'was sold', ...more }])
  await done((await call('POST', ':rebuild', {})).body.job)
  expect(await look()).toEqual(seen)
  expect((await call('DELETE', `/decisions/${decision}`)).body).toEqual({ status: 'done', decision })
  expect((await call('GET', `/entities/${entity}`)).body.code).toBe('node_not_found')
  const unsaid = await call('POST', '/entities', { name: 'Blue Heron' })
  expect([unsaid.status, unsaid.body.code, unsaid.body.errors[0].path]).toEqual([422, 'invalid', 'name'])
  expect((await call('POST', '/entities', { name: 'was sold', documents: ['zz'] })).body.code).toBe('document_not_found')
  expect((await call('POST', '/entities', { name: ' ?! ' })).body.errors).toMatchObject([{ path: 'name' }])
  expect((await call('POST', '/entities', { name: 'x'.repeat(201) })).body.errors).toMatchObject([{ path: 'name' }])
  const oslo = await idOf('Oslo')
  const hidden = (await call('POST', `/entities/${oslo}:hide`, {})).body.decision
  expect((await call('POST', '/entities', { name: 'Oslo' })).body.detail).toContain(`hidden by decision ${hidden}`)
  await call('DELETE', `/decisions/${hidden}`)
  const audit = (await call('GET', '/audit')).body.data as { action: string; subject?: string }[]
  expect(audit).toContainEqual(expect.objectContaining({ action: 'entity.add', subject: entity }))
})

it('[Q708] what cannot be decided is refused with the field or the thing that is wrong', async () => {
  const oslo = await idOf('Oslo')
  expect((await call('POST', '/entities/e_nobody:hide', {})).body.code).toBe('node_not_found')
  expect((await call('POST', `/entities/${oslo}:merge`, { with: oslo })).body.errors).toMatchObject([{ path: 'with' }])
  expect((await call('POST', `/entities/${oslo}:rename`, { name: ' ?! ' })).body.errors).toMatchObject([{ path: 'name' }])
  expect((await call('POST', `/entities/${oslo}:split`, { documents: [], name: 'X' })).body.errors).toMatchObject([{ path: 'documents' }])
  expect((await call('POST', `/entities/${oslo}:split`, { documents: ['zz'], name: 'X' })).body.code).toBe('document_not_found')
  expect((await call('POST', '/relations', { source: oslo, target: oslo, description: 'x' })).body.errors).toMatchObject([
    { path: 'target' },
  ])
  const unrelated = { source: oslo, target: await idOf('Glass Harbour') }
  expect((await call('POST', '/relations:remove', unrelated)).body.code).toBe('node_not_found')
})

async function idOf(called: string): Promise<string> {
  await settled()
  const { data } = (await call('GET', `/entities?q=${encodeURIComponent(called)}`)).body as { data: { id: string; text: string }[] }
  const found = data.find((one) => one.text === called || one.text === `The ${called}`)
  if (!found) throw new Error(`nothing is called ${called}`)
  return found.id
}

/** The read model has what the object has. */
async function settled(): Promise<void> {
  await world.ring()
}

async function done(job: string): Promise<void> {
  await world.ring()
  expect((await call('GET', `/jobs/${job}`)).body.status).toBe('succeeded')
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  return world.send(method, `/v1/corpora/${name}${path}`, body)
}
