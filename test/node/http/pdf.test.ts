/** PDFs by every door, and those that are made to exhaust their reader. */
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import type { DocumentInput } from '../../../src/ports/documents'
import { readFile } from '../../../src/reading/read-file'
import { bytesOf, deflated, pdf, shown, stream } from './pdf-bytes'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const MIB = 1024 * 1024
const SOON = 20_000

const read = (bytes: Uint8Array) => readFile({ bytes, type: 'pdf' })

/** Why it is not read. */
async function why(bytes: Uint8Array): Promise<string> {
  const result = await read(bytes)
  return result.kind === 'unreadable' ? result.why : result.text
}

interface Said {
  readonly code?: string
  readonly detail?: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  readonly hook?: string
  readonly secret?: string
}

async function world() {
  const { wired, clock } = fakeWorld()
  clock.now = Date.now() // the library that signs knows no other
  let events = 0
  const taken: DocumentInput[] = []
  const corpus = wired.corpus
  Object.assign(wired, {
    convert: readFile,
    corpus: (uid: string) => {
      const object = corpus(uid)
      return {
        ...object,
        accept: async (change: Parameters<typeof object.accept>[0]) => {
          taken.push(...change.upserts)
          return object.accept(change)
        },
      }
    },
  })
  const app = createApp(() => wired)
  const send = async (method: string, path: string, body: BodyInit, type: string) => {
    const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': type }
    const response = await app.fetch(new Request(`https://loam.test/v1/corpora/here${path}`, { method, headers, body }), {}, context)
    const said = (await response.json()) as Said
    return { ...said, status: response.status }
  }
  const tool = async (name: string, args: object) => {
    const accept = 'application/json, text/event-stream'
    const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json', accept }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    const response = await app.fetch(new Request('https://loam.test/mcp', { method: 'POST', headers, body }), {}, context)
    return response.text()
  }
  /** Signed as the webhook's sender does. */
  const event = async ({ hook = '', secret = '' }: Said, data: object) => {
    const [body, at] = [JSON.stringify(data), new Date(wired.now())]
    const id = `msg_${++events}`
    const signature = new Webhook(secret).sign(id, at, body)
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': signature }
    return app.fetch(new Request(`https://loam.test/v1/hooks/${hook}`, { method: 'POST', headers, body }), {}, context)
  }
  await send('PUT', '', '{}', 'application/json')
  return { send, taken, event, tool }
}

describe('a PDF', () => {
  it('[H32] is read as its text, page after page, and its own title', async () => {
    expect(await read(pdf([shown('A heron waits.'), deflated(shown('An owl hunts.'))]))).toEqual({
      kind: 'converted',
      text: 'A heron waits.\n\nAn owl hunts.',
      title: 'Of herons',
      outline: [
        { start: 0, page: 1 },
        { start: 16, page: 2 },
      ],
    })
  })

  it('[H580] hands its pages on, by every door; one without text is none', async () => {
    const { send, taken, event } = await world()
    const file = pdf([shown('A heron waits.'), '', shown('An owl hunts.')])
    const outline = [
      { start: 0, page: 1 },
      { start: 16, page: 3 },
    ]
    expect((await send('PUT', '/documents/a', file, 'application/pdf')).status).toBe(202)
    const inside = { content_base64: Buffer.from(file).toString('base64'), content_type: 'application/pdf' }
    expect((await send('POST', '/documents:batch', JSON.stringify({ upserts: [{ id: 'b', ...inside }] }), 'application/json')).status).toBe(
      202,
    )
    const hook = await send('POST', '/hooks', JSON.stringify({ preset: 'standard' }), 'application/json')
    expect((await event(hook, { id: 'c', ...inside })).status).toBe(202)
    expect(taken.map((one) => [one.id, one.outline])).toEqual(['a', 'b', 'c'].map((id) => [id, outline]))
  })

  it('[H580] an outline of one’s own comes with a text; one that is none is refused with its place', async () => {
    const { send, taken } = await world()
    const put = (outline: unknown) => send('PUT', '/documents/a', JSON.stringify({ text: 'A heron.', outline }), 'application/json')
    expect((await put([{ start: 0, page: 3, heading: 'Birds' }])).status).toBe(202)
    expect(taken[0]?.outline).toEqual([{ start: 0, page: 3, heading: 'Birds' }])
    const refused = await put([{ start: -1 }, { start: 0, page: 0 }, { start: 2, pages: 3 }])
    expect([refused.status, refused.errors?.map((one) => one.path)]).toEqual([
      422,
      ['outline.0.start', 'outline.1.page', 'outline.2.pages'],
    ])
    expect((await put(Array.from({ length: 5001 }, () => ({ start: 0 })))).status).toBe(422)
  })

  it('[H32] is taken in by PUT and POST, under its own title or the one that is given', async () => {
    const { send, taken } = await world()
    const file = pdf([shown('A heron waits.')])
    expect((await send('PUT', '/documents/a', file, 'application/pdf')).status).toBe(202)
    expect((await send('PUT', '/documents/b?title=Birds&url=https://example.com/b.pdf', file, 'application/pdf')).status).toBe(202)
    expect((await send('POST', '/documents', file, 'application/pdf')).status).toBe(202)
    expect(taken.map(({ title, text, url }) => [title, text, url])).toEqual([
      ['Of herons', 'A heron waits.', null],
      ['Birds', 'A heron waits.', 'https://example.com/b.pdf'],
      ['Of herons', 'A heron waits.', null],
    ])
  })

  it('[H159] that is encrypted, scanned or broken is 422 and says which; files of old office programs are 415 and say what is read', async () => {
    const { send } = await world()
    const scan = stream(100, '/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8', new Uint8Array(64))
    const files = {
      encrypted: pdf([shown('x')], { trailer: '/Encrypt 9 0 R' }),
      scanned: pdf(['/I Do'], { resources: '/XObject<</I 100 0 R>>', more: [scan] }),
      broken: bytesOf('%PDF-1.7\n', 'nothing of a PDF follows'),
      'not a PDF': bytesOf('GIF89a'),
      empty: new Uint8Array(),
    }
    const answers = []
    for (const [name, file] of Object.entries(files)) {
      const { status, code, detail } = await send('PUT', '/documents/a', file as Uint8Array<ArrayBuffer>, 'application/pdf')
      answers.push([name, status, code, detail?.split(/[.:]/)[0]])
    }
    expect(answers).toEqual([
      ['encrypted', 422, 'unreadable_document', 'This PDF is encrypted'],
      ['scanned', 422, 'unreadable_document', 'This PDF contains pictures and no text'],
      ['broken', 422, 'unreadable_document', 'This PDF is broken'],
      ['not a PDF', 422, 'unreadable_document', 'This PDF is broken'],
      ['empty', 422, 'unreadable_document', 'This PDF is broken'],
    ])
    const office = ['msword', 'vnd.ms-excel', 'vnd.oasis.opendocument.text']
    for (const type of office) {
      const { status, code, detail } = await send('PUT', '/documents/a', 'PK', `application/${type}`)
      expect([type, status, code]).toEqual([type, 415, 'unsupported_media_type'])
      expect(detail).toMatch(/^Files of older .* Save them as \.docx, .* Supported: plain text, .* PDF, Word \(\.docx\), PowerPoint/)
    }
  })
})

describe('a file inside of JSON', () => {
  const sentFile = pdf([shown('A heron waits.')])
  const file = btoa(String.fromCharCode(...sentFile))
  const asPdf = { content_base64: file, content_type: 'application/pdf' }

  it('[D250] comes with a batch or an import, beside texts, under its own title or the one that is given', async () => {
    const { send, taken } = await world()
    const page = { content_base64: btoa('<title>Owls</title><p>An owl hunts.'), content_type: 'text/html; charset=utf-8' }
    const upserts = [
      { id: 'a', ...asPdf },
      { id: 'b', text: 'A mill.' },
      { id: 'c', title: 'Birds', ...asPdf },
      { id: 'd', ...page },
    ]
    expect((await send('POST', '/documents:batch', JSON.stringify({ upserts }), 'application/json')).status).toBe(202)
    const lines = upserts.map((one) => JSON.stringify({ type: 'document', ...one })).join('\n')
    expect((await send('POST', ':import', lines, 'application/x-ndjson')).status).toBe(202)
    const said = [
      ['a', 'Of herons', 'A heron waits.'],
      ['b', '', 'A mill.'],
      ['c', 'Birds', 'A heron waits.'],
      ['d', 'Owls', 'An owl hunts.'],
    ]
    expect(taken.map(({ id, title, text }) => [id, title, text])).toEqual([...said, ...said])
    expect(Object.keys(taken[0] ?? {}).sort()).toEqual(['dates', 'file', 'id', 'metadata', 'outline', 'text', 'title', 'url'])
  })

  it('[D290] comes alone by PUT, POST and the tool of agents, under its own title or the one that is given', async () => {
    const { send, taken, tool } = await world()
    expect((await send('PUT', '/documents/a', JSON.stringify(asPdf), 'application/json')).status).toBe(202)
    expect((await send('POST', '/documents', JSON.stringify({ title: 'Birds', ...asPdf }), 'application/json')).status).toBe(202)
    await tool('add_document', { id: 'c', corpus: 'here', ...asPdf, metadata: { of: 'herons' } })
    expect(taken.map(({ title, text, metadata }) => [title, text, metadata])).toEqual([
      ['Of herons', 'A heron waits.', {}],
      ['Birds', 'A heron waits.', {}],
      ['Of herons', 'A heron waits.', { of: 'herons' }],
    ])
  })

  it('[D290] alone and unreadable, of another kind, or larger than it may be is refused by its name, with what is allowed', async () => {
    const { send, taken, tool } = await world()
    const put = (one: object) => send('PUT', '/documents/a', JSON.stringify(one), 'application/json')
    const cases: readonly (readonly [object, number, string, RegExp])[] = [
      [{ ...asPdf, content_base64: btoa('GIF89a') }, 422, 'content_base64', /broken/],
      [{ ...asPdf, content_base64: 'not base64!' }, 422, 'content_base64', /not base64/],
      [{ ...asPdf, content_type: 'application/msword' }, 415, 'content_type', /Save them as .* PDF/],
      [{ text: 'x', ...asPdf }, 422, 'content_base64', /together with `text`/],
      [{ content_base64: file }, 422, 'content_type', /is required with/],
      [{}, 422, 'text', /or `content_base64`/],
      [{ ...asPdf, content_base64: 'A'.repeat(12 * MIB - 256) }, 413, 'content_base64', /at most 8388608 bytes/],
    ]
    for (const [sent, status, path, message] of cases) {
      const answer = await put(sent)
      expect([answer.status, answer.errors]).toEqual([status, [{ path, message: expect.stringMatching(message) }]])
    }
    expect(await put({ ...asPdf, content_base64: 'A'.repeat(12 * MIB) })).toMatchObject({
      status: 413,
      detail: `The body may hold at most ${12 * MIB} bytes.`,
    })
    expect(await tool('add_document', { id: 'a', corpus: 'here', ...asPdf, content_type: 'application/msword' })).toMatch(
      /Save them as .* PDF/,
    )
    expect(await tool('add_document', { id: 'a', corpus: 'here', ...asPdf, content_base64: 'A'.repeat(4 * MIB) })).toContain(
      `${4 * MIB} bytes`,
    )
    expect(taken).toEqual([])
  })

  it('[D251] that cannot be read refuses the whole request and says which and why; office files are 415, more than twenty 413', async () => {
    const { send, taken } = await world()
    const scan = stream(100, '/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 8', new Uint8Array(64))
    const scanned = btoa(String.fromCharCode(...pdf(['/I Do'], { resources: '/XObject<</I 100 0 R>>', more: [scan] })))
    const office = 'application/vnd.oasis.opendocument.text'
    const cases: readonly (readonly [object, number, string])[] = [
      [{ ...asPdf, content_base64: scanned }, 422, 'upserts.1.content_base64'],
      [{ ...asPdf, content_base64: 'no base64' }, 422, 'upserts.1.content_base64'],
      [{ ...asPdf, content_type: office }, 415, 'upserts.1.content_type'],
      [{ ...asPdf, content_type: 'application/json' }, 422, 'upserts.1.content_base64'],
      [{ ...asPdf, content_type: 'image/png' }, 415, 'upserts.1.content_type'],
      [{ content_base64: btoa(' '), content_type: 'text/plain' }, 422, 'upserts.1.content_base64'],
      [{ content_base64: file }, 422, 'upserts.1.content_type'],
      [{ text: 'x', content_type: 'text/plain' }, 422, 'upserts.1.content_type'],
      [{ text: 'x', ...asPdf }, 422, 'upserts.1.content_base64'],
      [{}, 422, 'upserts.1.text'],
    ]
    const good = { id: 'a', text: 'A mill.' }
    for (const [one, status, path] of cases) {
      const answer = await send('POST', '/documents:batch', JSON.stringify({ upserts: [good, { id: 'b', ...one }] }), 'application/json')
      expect([one, answer.status, answer.errors?.map((fault) => fault.path)]).toEqual([one, status, [path]])
      if (status === 415 && 'content_type' in one && one.content_type === office) expect(answer.detail).toMatch(/^Files of old/)
    }
    const lines = JSON.stringify({ type: 'document', id: 'b', content_base64: scanned, content_type: 'application/pdf' })
    expect(await send('POST', ':import', lines, 'application/x-ndjson')).toMatchObject({
      status: 422,
      errors: [{ path: 'document b.content_base64', message: expect.stringMatching(/pictures and no text/) }],
    })
    const many = Array.from({ length: 21 }, (_, n) => ({ id: `f${n}`, ...asPdf }))
    const answer = await send('POST', '/documents:batch', JSON.stringify({ upserts: many }), 'application/json')
    expect([answer.status, answer.detail]).toEqual([413, 'At most 20 files are read at once; this request has 21.'])
    expect(taken).toEqual([])
  })

  it('[D252] comes with a signed event, as the sender calls it', async () => {
    const { send, taken, event } = await world()
    const hook = await send('POST', '/hooks', JSON.stringify({ preset: 'standard' }), 'application/json')
    expect(hook.status).toBe(201)
    expect((await event(hook, { id: 'a', ...asPdf })).status).toBe(202)
    const mapping = { id: '/name', text: '/body', title: '/called', content_base64: '/file/data', content_type: '/file/type' }
    const mapped = await send('POST', '/hooks', JSON.stringify({ preset: 'standard', mapping }), 'application/json')
    const sent = { name: 'b', called: 'Birds', file: { data: file, type: 'application/pdf' } }
    expect((await event(mapped, sent)).status).toBe(202)
    expect((await event(mapped, { ...sent, file: { data: file, type: 'application/msword' } })).status).toBe(415)
    expect(taken.map(({ id, title, text }) => [id, title, text])).toEqual([
      ['a', 'Of herons', 'A heron waits.'],
      ['b', 'Birds', 'A heron waits.'],
    ])
    expect(taken.map((one) => one.file)).toEqual([sentFile, sentFile]) // [H2130]
  })
})

describe('a PDF made to exhaust its reader', () => {
  const zeros = new Uint8Array(64 * MIB)

  it('[H159] by what it unpacks to is refused before it is read', { timeout: SOON }, async () => {
    const [, bomb] = deflated(zeros)
    expect(bomb.length).toBeLessThan(MIB / 8)
    const streams = {
      plain: '/Filter/FlateDecode',
      'in a list': '/Filter [ /FlateDecode ]',
      abbreviated: '/F/Fl',
      'in other letters': '/Fi#6cter/Fl#61teDecode',
      'as a picture': '/Subtype/Image/Width 1/Height 1/Filter/FlateDecode',
      'by runs': '/Filter/RunLengthDecode',
      'in ASCII': '/Filter[/ASCII85Decode/FlateDecode]',
    }
    const said = []
    for (const [name, dictionary] of Object.entries(streams)) {
      const data = name === 'by runs' ? new Uint8Array(MIB).fill(129) : bomb
      said.push([name, await why(pdf([[dictionary, data]]))])
    }
    expect(said).toEqual(Object.keys(streams).map((name) => [name, 'too_large']))
    expect(await why(pdf([['/Filter[/FlateDecode/FlateDecode]', bomb]]))).toBe('broken')
    expect(await why(pdf([['/Filter 5 0 R', bomb]]))).toBe('broken')
    for (const string of ['(heron '.padEnd(300 * 1024, 'heron '), `<${'68'.repeat(150 * 1024)}`]) {
      const [dictionary, data] = deflated(`BT /F 12 Tf ${string}`)
      expect([data.length < MIB / 8, await why(pdf([[dictionary, data]]))]).toEqual([true, 'too_large'])
    }
    const some = deflated(new Uint8Array(8 * MIB))
    expect(await why(pdf(Array.from({ length: 8 }, () => some)))).toBe('too_large')
  })

  it('[H159] by its pages is refused, or read as far as there is something', { timeout: SOON }, async () => {
    const text = shown('A heron waits.')
    const circle = '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 5>>endobj\n3 0 obj<</Type/Pages/Parent 2 0 R/Kids[2 0 R 3 0 R]/Count 5>>endobj\n'
    expect(await why(pdf([text], { pages: circle }))).toMatch(/no_text|broken/)
    expect(await why(pdf([text], { pages: '2 0 obj<</Type/Pages/Kids[10 0 R]/Count 1000000000>>endobj\n' }))).toMatch(
      /too_large|broken|heron/,
    )
    const nested = Array.from(
      { length: 2000 },
      (_, i) => `${200 + i} 0 obj<</Type/Pages/Kids[${i === 1999 ? 10 : 201 + i} 0 R]/Count 1>>endobj\n`,
    )
    expect(await why(pdf([text], { pages: `2 0 obj<</Type/Pages/Kids[200 0 R]/Count 1>>endobj\n${nested.join('')}` }))).toMatch(
      /broken|heron/,
    )
    expect(await why(pdf(Array.from({ length: 2001 }, () => 'BT ET')))).toBe('too_large')
  })

  it('[H159] by forms that call each other, fonts that map everything, or endless text is refused', { timeout: 3 * SOON }, async () => {
    const form = (number: number, content: string, resources: string) =>
      stream(number, `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 4 0 R>>/XObject<<${resources}>>>>`, content)
    const itself = form(100, `/A Do ${shown('x')} /A Do`, '/A 100 0 R')
    expect(await why(pdf(['/A Do'], { resources: '/XObject<</A 100 0 R>>', more: [itself] }))).toMatch(/too_large|broken|x/)
    const laughs = Array.from({ length: 12 }, (_, i) => form(100 + i, i === 11 ? shown('ha') : '/A Do '.repeat(10), `/A ${101 + i} 0 R`))
    expect(await why(pdf(['/A Do'], { resources: '/XObject<</A 100 0 R>>', more: laughs }))).toBe('too_large')
    const mapping = (own: string) => `begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange ${own} endcmap`
    const font = '4 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 101 0 R>>endobj\n'
    for (const own of [
      '1 beginbfrange <000000> <FFFFFE> <0041> endbfrange',
      '2 beginbfrange <00> <01> <0041> <000000> <FFFFFE> [<0041> <0042>] endbfrange',
      '1 begincidrange <000000> <FFFFFE> 0 endcidrange',
      '1 beginbfrange <00> <01> % > a comment\n<0041> <000000> <FFFFFE> <0041>',
      '1 beginbfrange <0000000000000000> <00000000 00FFFFFE> <0041> endbfrange',
      '1 beginbfrange (\\000) (\\377\\377\\377) <0041> endbfrange',
    ]) {
      expect([own, await why(pdf([shown('x')], { more: [font, stream(101, '', mapping(own))] }))]).toEqual([own, 'too_large'])
      const [dictionary, data] = deflated(mapping(own))
      expect([own, await why(pdf([shown('x')], { more: [font, stream(101, dictionary, data)] }))]).toEqual([own, 'too_large'])
    }
    const long = deflated(`BT /F 12 Tf ${'1 0 0 1 10 50 Tm (A heron waits in the reeds.) Tj '.repeat(2500)}ET`)
    expect(await why(pdf(Array.from({ length: 20 }, () => long)))).toBe('too_large')
  })

  it('[H159] with many fonts, as programs write their tables, ligatures and letters of four bytes in them, is read', async () => {
    const table = [
      '1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange',
      '4 beginbfchar\n<0003> <0020>\n<000B> <006600660069>\n<0215> <D835DC2C>\n<0A53> <D835DC9F>\nendbfchar',
      '4 beginbfrange\n<0006> <0009> <0023>\n<0044> <0060> <0061>\n<0A65> <0A66> <D835DCB1>\n<0070> <0072> [<00660066> <00660069> <0066006C>]\nendbfrange',
    ]
    const map = `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n${table.join('\n')}\nendcmap`
    const more = Array.from({ length: 40 }, (_, i) => stream(101 + i, ...deflated(map)))
    expect(await why(pdf([shown('A heron waits.')], { more }))).toContain('A heron waits.')
  })

  it('[H159] by what is cut off or random never makes the reader throw', { timeout: SOON }, async () => {
    const whole = pdf([shown('A heron waits.'), deflated(shown('An owl hunts.'))])
    for (let cut = 0; cut < whole.length; cut += 37) expect(typeof (await why(whole.slice(0, cut)))).toBe('string')
    for (let seed = 1; seed < 60; seed++) {
      const hurt = whole.slice()
      for (let i = 0; i < 10; i++) hurt[(seed * 7919 + i * 104_729) % hurt.length] = (seed * 31 + i * 17) % 256
      expect(typeof (await why(hurt))).toBe('string')
    }
  })
})
