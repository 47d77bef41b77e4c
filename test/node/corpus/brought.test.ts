/** A graph that comes with a document: in the object, from the put to the entity's view, through deletion, labels, correction and a copy. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { correctChunk } from '../../../durable-objects/corpus/ingest/correct-chunk'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { listChunks } from '../../../durable-objects/corpus/query/chunks'
import { makeDecision } from '../../../durable-objects/corpus/query/decisions'
import { entityDetails } from '../../../durable-objects/corpus/query/entity'
import { givenGraphs } from '../../../durable-objects/corpus/query/locations'
import type { Asker } from '../../../src/core/access/labels'
import { bearings } from '../../../src/core/builders/relations'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { nodeId } from '../../../src/core/ids'
import type { DocumentInput } from '../../../src/ports/documents'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

async function begun(models = 'none') {
  const world = mortalWorld(['ketrag'], {
    chunking: { chunk: 60, overlap: 0, passage: 30 },
    models,
    ...(models === 'none' ? {} : { writer: true }),
  })
  worlds.push(world)
  const mortal = world.wake()
  const bill = noBill()
  const send = async (upserts: readonly DocumentInput[], deletes: readonly string[] = []) => {
    const accepted = accept(mortal.context, { kind: 'batch', upserts, deletes })
    await finish(mortal, world, bill)
    return accepted.kind
  }
  return { world, mortal, bill, send }
}

const entity = (name: string): string => nodeId('entity', name)
const none = { entities: 0, relations: 0, ends: 0, room: 0 }
const TEXT = 'Ada Holm built the mill at Tidewater. The kelp harvest of Tidewater was sold in spring.'
const graph = {
  entities: [
    { name: 'Ada Holm', type: 'person', description: 'An engineer.' },
    { name: 'kelp harvest', type: 'event', description: 'Sold in spring.' },
    { name: 'Nell Farrow', type: 'person', description: 'A painter.' },
  ],
  relations: [
    { source: 'Ada Holm', target: 'Tidewater', description: 'built its mill', strength: 9 },
    { source: 'Nell Farrow', target: 'Ana', description: 'knew', strength: 9 },
  ],
}
const input = (id: string, more: Partial<DocumentInput> = {}): DocumentInput => ({
  id,
  text: TEXT,
  title: 'Mill',
  url: null,
  metadata: {},
  ...more,
})
const told = ({ context }: Mortal, name: string, asker?: Asker) =>
  entityDetails(context, entity(name), asker)?.descriptions.map(({ text }) => text)
const stateOf = ({ context }: Mortal): string => stateHash(context.graph.lines())

describe('a graph that comes with a document', () => {
  it('[N2070] its entities and relations are those of the chunk that says them, no model reads that chunk, and they go with the document', async () => {
    const { mortal, bill, send } = await begun('some')
    const empty = stateOf(mortal)
    expect(await send([input('mill', { brought: graph })])).toBe('accepted')
    expect(bill.kinds.extract).toBeUndefined()
    const [chunk] = listChunks(mortal.context, 'mill', { from: 0, limit: 10 })?.data ?? []
    expect([chunk?.read.by, chunk?.entities.find(({ name }) => name === 'kelp harvest')?.type]).toEqual(['brought', 'event'])
    expect([told(mortal, 'ada holm'), told(mortal, 'kelp harvest')]).toEqual([['An engineer.'], ['Sold in spring.']])
    const [source = '', target = ''] = [entity('ada holm'), entity('tidewater')].sort()
    const edge = mortal.context.graph.edge('relates', source, target)
    expect([edge?.data, edge && bearings(edge)]).toMatchObject([{ description: 'built its mill', strength: 9 }, [{ chunk: chunk?.chunk }]])
    expect(await send([input('mill', { brought: graph })])).toBe('unchanged')
    await send([], ['mill'])
    expect([stateOf(mortal), mortal.context.sql.all('SELECT * FROM brought')]).toEqual([empty, []])
  })

  it('[V2141] an entity’s descriptions and relations say whether they were brought, and by which document; rules and people are told apart', async () => {
    const { mortal, send } = await begun()
    await send([
      input('mill', { brought: graph }),
      input('note', { title: 'Note', text: 'Ada Holm met Otto Brant in Riga. Ada Holm left Tidewater.' }),
    ])
    const told = entityDetails(mortal.context, entity('ada holm'), 'all')
    expect(told?.descriptions).toMatchObject([{ text: 'An engineer.', document: 'mill', by: 'brought' }])
    const by = (name: string) => told?.relations.find((one) => one.name === name)
    expect(by('Tidewater')).toMatchObject({ description: 'built its mill', by: ['brought', 'rules'], documents: ['mill', 'note'] })
    expect(by('Otto Brant')).toMatchObject({ by: ['rules'], documents: ['note'] })
    makeDecision(
      mortal.context,
      { op: 'relate', entity: entity('ada holm'), other: entity('otto brant'), text: 'taught', strength: 9 },
      'key',
    )
    const taught = entityDetails(mortal.context, entity('ada holm'), 'all')?.relations
    expect(taught?.find((one) => one.name === 'Otto Brant')?.by).toEqual(['people', 'rules'])
  })

  it('[V2070] [V2141] a relation that a document brought is told only to those who may read it', async () => {
    const { mortal, send } = await begun()
    await send([input('secret', { brought: graph, access: ['group:a'] }), input('open', { access: ['group:b'] })])
    const by = (asker: Asker) => entityDetails(mortal.context, entity('ada holm'), asker)?.relations.map((one) => [one.name, one.by])
    expect(by(['group:b'])?.flatMap(([, all]) => all)).not.toContain('brought')
    expect(by(['group:a'])).toContainEqual(['Tidewater', ['brought']])
  })

  it('[N2070] without it, the same text is another chunk: whichever came first, each keeps its own', async () => {
    const [one, other] = [await begun(), await begun()]
    await one.send([input('a', { brought: graph })])
    await one.send([input('b')])
    await other.send([input('b')])
    await other.send([input('a', { brought: graph })])
    expect(stateOf(one.mortal)).toBe(stateOf(other.mortal))
    await one.send([], ['a'])
    expect(told(one.mortal, 'ada holm')).toEqual([])
  })

  it('[N2071] what no chunk says is in no graph, and is counted', async () => {
    const { mortal, send } = await begun()
    await send([input('mill', { brought: graph })])
    expect(document(mortal.context, 'mill')?.graph).toEqual({
      entities: 3,
      relations: 2,
      unplaced: 2,
      left_out: { ...none, entities: 1, relations: 1 },
    })
    expect(mortal.context.graph.node(entity('nell farrow'))).toBeUndefined()
    const at = { start: TEXT.indexOf('The kelp'), end: TEXT.length }
    await send([input('late', { title: 'Late', brought: { entities: graph.entities.map((one) => ({ ...one, ...at })), relations: [] } })])
    expect(document(mortal.context, 'late')?.graph).toEqual({ entities: 3, relations: 0, unplaced: 1, left_out: { ...none, entities: 1 } })
  })

  it('[V2142] what was left out is counted by its reason, once the document is indexed', async () => {
    const { mortal, send } = await begun()
    const half = { source: 'Ada Holm', target: 'Nell Farrow', description: 'knew', strength: 5 }
    const long = Array.from({ length: 9 }, (_, i) => ({ ...half, target: 'Spring', description: `${i} ${'was sold '.repeat(20)}` }))
    accept(mortal.context, {
      kind: 'batch',
      upserts: [input('mill', { brought: { ...graph, relations: [...graph.relations, half] } })],
      deletes: [],
    })
    expect(document(mortal.context, 'mill')?.graph).toMatchObject({ entities: 3, relations: 3, unplaced: 0, left_out: none })
    await send([input('note', { text: 'Ada Holm slept.', brought: { entities: [], relations: long } })])
    expect(document(mortal.context, 'mill')?.graph).toMatchObject({
      unplaced: 2,
      left_out: { entities: 1, relations: 1, ends: 1, room: 0 },
    })
    expect(document(mortal.context, 'note')?.graph).toMatchObject({ unplaced: 0, left_out: { entities: 0, relations: 0, ends: 9 } })
  })

  it('[V2070] what a document brought is seen by those who may read it, and by nobody who only reads the same text elsewhere', async () => {
    const { mortal, send } = await begun()
    await send([input('secret', { brought: graph, access: ['group:a'] }), input('open', { access: ['group:b'] })])
    expect([told(mortal, 'ada holm', ['group:a']), told(mortal, 'ada holm', ['group:b'])]).toEqual([['An engineer.'], []])
    expect(entityDetails(mortal.context, entity('kelp harvest'), ['group:b'])).toBeNull()
  })

  it('[N2072] a corrected text and another language keep it, at the places where the text is now', async () => {
    const { mortal, world, send } = await begun()
    const at = { start: TEXT.indexOf('The kelp'), end: TEXT.length }
    const brought = { entities: [{ name: 'kelp harvest', type: 'event', description: 'Sold in spring.', ...at }], relations: [] }
    await send([input('mill', { brought })])
    const [chunk] = listChunks(mortal.context, 'mill', { from: 0, limit: 10 })?.data ?? []
    const text = (chunk?.text ?? '').replace('built', 'designed and built')
    correctChunk(mortal.context, { document: 'mill', chunk: chunk?.chunk ?? '', text }, { asker: 'all', by: undefined })
    await finish(mortal, world, noBill())
    expect(told(mortal, 'kelp harvest')).toEqual(['Sold in spring.'])
    const moved = text.length - (chunk?.text.length ?? 0)
    expect(givenGraphs(mortal.context, ['mill']).mill?.entities[0]).toMatchObject({ start: at.start + moved, end: at.end + moved })
    expect([await send([input('mill', { brought })]), told(mortal, 'kelp harvest')]).toEqual(['unchanged', ['Sold in spring.']])
  })

  it('[H2070] an export names it', async () => {
    const { mortal, send } = await begun()
    await send([input('mill', { brought: graph }), input('plain', { title: 'Plain' })])
    expect(givenGraphs(mortal.context, ['mill', 'plain'])).toEqual({ mill: graph })
  })
})
