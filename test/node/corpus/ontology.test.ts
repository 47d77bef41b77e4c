/** An ontology by the API: what is accepted, shown and refused, and what becomes of it on the edges of the graph. */
import { describe, expect, it } from 'vitest'
import { ontologyLimits } from '../../../src/core/ontology'
import { deployment } from '../deletion/deployment'

const AT = '/v1/corpora/manuals'
const GUILDS = {
  types: [{ name: 'person', description: 'somebody with a name' }, { name: 'engineer', parent: 'person' }, { name: 'guild' }],
  relations: [{ name: 'member of', subjects: ['person'], objects: ['guild'] }],
}

describe('an ontology', () => {
  it('[V906] is set whole, shown, and taken away by null', async () => {
    const { send } = deployment()
    const put = (extraction: object) => send('PUT', AT, { settings: { extraction } })
    const shown = async () =>
      ((await send('GET', AT)).body as { settings: { extraction: { ontology: unknown } } }).settings.extraction.ontology
    expect((await put({ ontology: GUILDS })).status).toBe(201)
    expect(await shown()).toEqual({ mode: 'open', ...GUILDS })
    await put({ ontology: { mode: 'strict', types: [{ name: 'ship' }] } })
    expect(await shown()).toEqual({ mode: 'strict', types: [{ name: 'ship' }], relations: [] })
    await put({ gleanings: 1 })
    expect(await shown()).toMatchObject({ mode: 'strict' })
    await put({ ontology: null })
    expect(await shown()).toBeNull()
  })

  it.each([
    [{ types: [{ name: 'engineer', parent: 'person' }] }, 'types.0.parent', 'no type is called “person”'],
    [
      {
        types: [
          { name: 'a', parent: 'b' },
          { name: 'b', parent: 'a' },
        ],
      },
      'types.0.parent',
      'a type cannot be a kind of itself',
    ],
    [{ types: [{ name: 'ship' }, { name: 'Ships' }] }, 'types.1.name', '“Ships” occurs twice'],
    [{ relations: [{ name: 'knows', subjects: ['person'] }] }, 'relations.0.subjects.0', 'no type is called “person”'],
    [{ types: Array.from({ length: 33 }, (_, n) => ({ name: `t${n}` })) }, 'types', '32'],
    [{ types: [{ name: 'x'.repeat(33) }] }, 'types.0.name', '32'],
    [{ types: [{ name: 'ship', colour: 'red' }] }, 'types.0.colour', 'unknown'],
    [{ mode: 'closed', types: [{ name: 'ship' }] }, 'mode', ''],
    [{}, '', 'names no type and no relation'],
    [
      { types: Array.from({ length: 32 }, (_, n) => ({ name: `type ${n}`, description: 'd'.repeat(160) })), relations: [] },
      '',
      'at most 6000',
    ],
  ])('[V906] %j is refused at %s', async (ontology, path, message) => {
    const { status, body } = await deployment().send('PUT', AT, { settings: { extraction: { ontology } } })
    const { errors } = body as { errors: { path: string; message: string }[] }
    expect(status).toBe(422)
    expect(errors[0]?.path).toBe(['settings.extraction.ontology', path].filter(Boolean).join('.'))
    expect(errors[0]?.message).toContain(message)
  })

  it('[V906] types beside it are refused by name', async () => {
    const { status, body } = await deployment().send('PUT', AT, { settings: { extraction: { types: ['ship'], ontology: GUILDS } } })
    expect([status, (body as { errors: { path: string }[] }).errors[0]?.path]).toEqual([422, 'settings.extraction.types'])
    expect(ontologyLimits.bytes).toBe(6000)
  })
})

describe('an owner’s words, and the language of descriptions', () => {
  it('[V916] [V917] are set one by one, shown, and taken away by null', async () => {
    const { send } = deployment()
    const put = (extraction: object) => send('PUT', AT, { settings: { extraction } })
    const shown = async () => {
      const { body } = await send('GET', AT)
      const { guidance, language, gleanings } = (body as { settings: { extraction: Record<string, unknown> } }).settings.extraction
      return [guidance, language, gleanings]
    }
    await put({ gleanings: 1 })
    expect(await shown()).toEqual([null, null, 1])
    await put({ guidance: '  Treat vessel\nnames as ships. ', language: 'pt-BR' })
    expect(await shown()).toEqual(['Treat vessel\nnames as ships.', 'pt', 1])
    await put({ language: null })
    expect(await shown()).toEqual(['Treat vessel\nnames as ships.', null, 1])
    await put({ guidance: ' ' })
    expect(await shown()).toEqual([null, null, 1])
  })

  it.each([
    [{ guidance: 'x'.repeat(1001) }, 'guidance', '1000'],
    [{ guidance: 7 }, 'guidance', 'string'],
    [{ language: 'tlh' }, 'language', 'ISO 639-1'],
  ])('[V916] [V917] %j is refused by name', async (extraction, field, message) => {
    const { status, body } = await deployment().send('PUT', AT, { settings: { extraction } })
    const { errors } = body as { errors: { path: string; message: string }[] }
    expect([status, errors[0]?.path]).toEqual([422, `settings.extraction.${field}`])
    expect(errors[0]?.message).toContain(message)
  })
})
