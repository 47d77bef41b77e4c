/** Files as documents. Files of binary formats are made here, as small as they can be. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isReadable, readDocuments } from '../../../cli/reading/documents'
import { chooseBase, findFiles, idIn } from '../../../cli/reading/files'
import { findForeign } from '../../../cli/reading/foreign'
import { fitDocument } from '../../../cli/reading/split'
import { splitText } from '../../../src/client/split-text'
import { localBounds } from '../../../src/reading/bounds'
import { NOT_UTF8 } from '../../../src/reading/decode'
import { readGraphml } from '../../../src/reading/graphml'
import { soundOfVideo } from '../../../src/reading/video/sound-of-video'
import { CLIP_MP4, LATE_MP4, SILENT_MP4 } from '../../videos'
import { pdf as pdfOf } from '../http/pdf-bytes'
import { JPEG, scanned } from '../reading/scans'
import { docx, epub, pdf, zip } from './files'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loam-reading-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of source) found.push(one)
  return found
}

const read = async (name: string, content: string | Uint8Array, columns = {}): Promise<unknown[]> =>
  all(readDocuments({ path: write(name, content), isNamed: true }, { id: name, columns }))

const page =
  '<html><head><title>Herons &amp; owls</title><style>p{}</style></head><body><nav>Menu</nav><h1>Herons</h1><p>A <a href="/x">heron</a> waits_here.</p><script>x()</script><table><tr><th>Bird</th><th>Legs</th></tr><tr><td>Owl</td><td>2</td></tr></table></body></html>'

describe('one file', () => {
  const cases: readonly (readonly [string, string | Uint8Array, { title: string; text: string; outline?: object }])[] = [
    ['a.md', '---\ntitle: "Of herons"\ntags: x\n---\n# Herons\n\nA heron.\n', { title: 'Of herons', text: '# Herons\n\nA heron.\n' }],
    ['b.md', 'Before.\n\n## Owls ##\n', { title: 'Owls', text: 'Before.\n\n## Owls ##\n' }],
    ['c.txt', 'Ein Reiher.\r\nÜber Wasser 🦆.', { title: 'c', text: 'Ein Reiher.\r\nÜber Wasser 🦆.' }],
    ['d.html', page, { title: 'Herons & owls', text: '# Herons\n\nA heron waits_here.\n\n| Bird | Legs |\n| --- | --- |\n| Owl | 2 |' }],
    ['e.pdf', pdf, { title: 'Herons', text: 'A heron waits.', outline: [{ start: 0, page: 1 }] }],
    ['f.docx', docx, { title: 'Herons', text: '# Herons\n\nA heron waits.' }],
    ['g.epub', epub, { title: 'Herons & owls', text: '# One\n\nA heron waits.\n\n# Two\n\nAn owl hunts.' }],
    ['h.srt', '1\n00:00:01,500 --> 00:00:02,000\nA heron.\n', { title: 'h', text: 'A heron.', outline: [{ start: 0, seconds: 1.5 }] }],
    ['i.py', 'x = 1\n', { title: 'i', text: 'x = 1\n', outline: [{ start: 0, line: 1 }] }],
    ['utf16.txt', new Uint8Array([0xff, 0xfe, 0x41, 0x00]), { title: 'utf16', text: 'A' }],
  ]
  it.each(cases)('[N20] %s has its text and its title', async (name, content, document) => {
    expect(await read(name, content)).toEqual([{ document: { id: name, ...document } }])
  })

  it('[N1971] a recording that is named is sent as it is, with its type, and passed over in a folder', async () => {
    const sound = new TextEncoder().encode('ID3 sound')
    for (const [name, type] of [
      ['talk.mp3', 'audio/mpeg'],
      ['talk.m4a', 'audio/mp4'],
      ['talk.opus', 'audio/ogg'],
      ['talk.wav', 'audio/wav'],
    ] as const) {
      expect(await read(name, sound)).toMatchObject([
        { document: { id: name, title: 'talk', content_base64: Buffer.from(sound).toString('base64'), content_type: type } },
      ])
      expect([name, isReadable(name)]).toEqual([name, false])
    }
  })

  it('[N2000] a video that is named is sent as it is; of a larger one its sound, unless that has other times', async () => {
    const base64 = (content: Uint8Array) => Buffer.from(content).toString('base64')
    const document = (name: string, content: Uint8Array, type: string) => [
      { document: { id: name, title: 'talk', text: '', content_base64: base64(content), content_type: type } },
    ]
    for (const [name, type] of [
      ['talk.mp4', 'video/mp4'],
      ['talk.m4v', 'video/x-m4v'],
      ['talk.mov', 'video/quicktime'],
      ['talk.webm', 'video/webm'],
      ['talk.mkv', 'video/x-matroska'],
    ] as const) {
      expect(await read(name, CLIP_MP4)).toEqual(document(name, CLIP_MP4, type))
      expect([name, isReadable(name)]).toEqual([name, false])
    }
    const large = (video: Uint8Array) =>
      Buffer.concat([video, Buffer.from('00900000', 'hex'), Buffer.from('free'), Buffer.alloc(0x900000 - 8)])
    const sound = soundOfVideo(CLIP_MP4, 1e6)
    expect(sound.kind).toBe('sound')
    if (sound.kind === 'sound')
      expect(await read('talk.mp4', large(CLIP_MP4))).toEqual(document('talk.mp4', sound.recording.bytes, 'audio/mp4'))
    expect(await read('late.mp4', large(LATE_MP4))).toEqual([{ skipped: 'late.mp4', why: expect.stringContaining('begins late') }])
    expect(await read('mute.mp4', large(SILENT_MP4))).toEqual([{ skipped: 'mute.mp4', why: 'This video has no sound.' }])
  })

  it('[H2140] a PDF is read, and sent as it is, where its file is to be kept; no other kind is', async () => {
    const kept = (name: string, content: string | Uint8Array) =>
      all(readDocuments({ path: write(name, content), isNamed: true }, { id: name, keepsFiles: true }))
    const content = { content_base64: Buffer.from(pdf).toString('base64'), content_type: 'application/pdf' }
    expect(await kept('k.pdf', pdf)).toMatchObject([{ document: { id: 'k.pdf', title: 'Herons', text: 'A heron waits.', ...content } }])
    const [own] = (await kept('k.docx', docx)) as { document: object }[]
    expect([own?.document, (await read('k.pdf', pdf))[0]]).not.toContainEqual(
      expect.objectContaining({ content_base64: expect.anything() }),
    )
    const large = Buffer.concat([Buffer.from(pdf), Buffer.alloc(8 * 1024 * 1024, '% ')])
    expect(await kept('large.pdf', large)).toMatchObject([{ document: { text: 'A heron waits.', outline: [{ start: 0, page: 1 }] } }])
  })

  it('[H1996] a PDF some pages of which are scans is sent as it is, so that they are read where the corpus has that; one with empty pages is not', async () => {
    const mixed = scanned(['Of herons.', { data: JPEG }])
    const content_base64 = Buffer.from(mixed).toString('base64')
    expect(await read('mixed.pdf', mixed)).toEqual([
      { document: { id: 'mixed.pdf', title: 'mixed', text: '', content_base64, content_type: 'application/pdf' } },
    ])
    expect(await read('plain.pdf', scanned(['Of herons.', null]))).toMatchObject([{ document: { text: 'Of herons.' } }])
  })

  it('[N784] a picture and a PDF without a text are sent as they are', async () => {
    const picture = new Uint8Array([0x89, 0x50])
    const sent = (content_type: string, content: Uint8Array) => ({
      text: '',
      content_base64: Buffer.from(content).toString('base64'),
      content_type,
    })
    expect(await read('pond.jpg', picture)).toEqual([{ document: { id: 'pond.jpg', title: 'pond', ...sent('image/jpeg', picture) } }])
    const scan = pdfOf([''])
    expect(await read('scan.pdf', scan)).toEqual([{ document: { id: 'scan.pdf', title: 'scan', ...sent('application/pdf', scan) } }])
    expect(await read('huge.png', new Uint8Array(9_000_000))).toEqual([
      { skipped: 'huge.png', why: 'a picture, scan or recording of more than 8 MB' },
    ])
  })

  it('[N20] what is not text is left out with a reason', async () => {
    const left = [
      await read('latin1.txt', new Uint8Array([0x52, 0xe9])),
      await read('zeros.txt', new Uint8Array([0x41, 0x00, 0x42])),
      await read('blank.md', ' \n\n'),
      await read('latin1.csv', Buffer.from('text\ncaf\xe9\n', 'latin1')),
      await read('latin1.jsonl', Buffer.from('{"text":"caf\xe9"}\n', 'latin1')),
      await read('broken.pdf', 'not a PDF'),
      await read('broken.epub', zip({ 'a.xml': '<a/>' })),
    ]
    const big = zip({ 'word/document.xml': '<a/>' })
    new DataView(big.buffer, big.byteOffset).setUint32(Buffer.from(big).indexOf('PK\u0001\u0002') + 24, 400_000_000, true) // as it says of itself
    expect(await read('big.docx', big)).toEqual([
      { skipped: 'big.docx', why: 'This file unpacks to more than can be read at once. Split it.' },
    ])
    expect(left.flat().filter((one) => !(one as { skipped?: string }).skipped)).toEqual([])
    expect(left.slice(0, 5).flat()).toEqual([
      { skipped: 'latin1.txt', why: NOT_UTF8 },
      { skipped: 'zeros.txt', why: 'is not text' },
      { skipped: 'blank.md', why: 'contains no text' },
      { skipped: 'latin1.csv', why: NOT_UTF8 },
      { skipped: 'latin1.jsonl', why: NOT_UTF8 },
    ])
  })
})

describe('rows', () => {
  it('[N22] JSON lines keep their ids and everything else as metadata', async () => {
    const lines = ['{"_id":"x","Title":"T","contents":"A heron.","year":1946,"metadata":{"by":"me"}}', '', '"An owl."', '{"text":" "}']
    expect(await read('r.jsonl', lines.join('\n'))).toEqual([
      { document: { id: 'x', title: 'T', text: 'A heron.', metadata: { year: 1946, by: 'me' } } },
      { document: { id: 'r.jsonl#3', text: 'An owl.' } },
      { skipped: 'r.jsonl#4', why: 'contains no text' },
    ])
    expect(await read('s.jsonl', '{"text":"fine"}\nnot json')).toEqual([
      { document: { id: 's.jsonl#1', text: 'fine' } },
      { skipped: 's.jsonl', why: 'line 2 is not JSON' },
    ])
  })

  it('[P16] rows of JSON lines bring their labels, and nothing else named so does', async () => {
    const lines = ['{"id":"a","text":"A heron.","access":["group:x"]}', '{"id":"b","text":"An owl.","access":"free"}']
    expect(await read('r.jsonl', lines.join('\n'))).toEqual([
      { document: { id: 'a', text: 'A heron.', access: ['group:x'] } },
      { document: { id: 'b', text: 'An owl.', metadata: { access: 'free' } } },
    ])
  })

  it('[W1961] a row of a table without a column of titles is called by its first column of words that is no text', async () => {
    const titlesOf = async (table: string, columns = {}) =>
      (await read('t.csv', table, columns)).map((one) => (one as { document: { title?: string } }).document.title)
    const tickets = 'opened,ticket,customer,message\n2026-11-01,T-001,Ana Berg,The box was wet\n2026-11-02T08:00:00Z,7,,It is late'
    expect(await titlesOf(tickets, { text: 'message' })).toEqual(['T-001', undefined])
    expect(await titlesOf('bird,place\nGrey heron,Riga')).toEqual(['Grey heron'])
    expect(await titlesOf('kind,title,text\nnote,Eel,It swims')).toEqual(['Eel'])
    expect(await titlesOf('id,url,text,year\nx,https://a.example,It swims,1946')).toEqual([undefined])
    expect(await titlesOf(`about,text\n${'long '.repeat(40)},It swims`)).toEqual([undefined])
  })

  it('[N22] a table gives a document a row: of its text column, else of all of them', async () => {
    expect(await read('t.csv', '\uFEFFid;text;year\n7;"A heron; it\nwaits.";1946\n')).toEqual([
      { document: { id: '7', text: 'A heron; it\nwaits.', metadata: { year: '1946' } } },
    ])
    expect(await read('u.tsv', 'bird\tlegs\nowl\t2\n')).toEqual([{ document: { id: 'u.tsv#1', title: 'owl', text: 'bird: owl\nlegs: 2' } }])
    expect(await read('v.csv', 'no,says\n5,hello\n', { text: 'says', id: 'no' })).toEqual([{ document: { id: '5', text: 'hello' } }])
  })
})

describe('many files', () => {
  it('[N22] ids are paths as seen from one folder, whatever folder is typed', async () => {
    for (const name of ['a/x.md', 'a/b/y.md', 'a/node_modules/z.md', 'w.md']) write(name, 'x')
    const idsOf = async (given: string[], cwd: string, base?: string): Promise<string[]> => {
      const files = await findFiles(given, cwd)
      return files.map(({ path }) => idIn(chooseBase(files, base, cwd), path))
    }
    expect(await idsOf(['a', 'w.md', 'a/x.md'], folder)).toEqual(['a/b/y.md', 'a/x.md', 'w.md'])
    expect(await idsOf(['b/*.md'], join(folder, 'a'))).toEqual(['b/y.md'])
    expect(await idsOf(['a/**/*.md'], folder, 'a')).toEqual(['b/y.md', 'node_modules/z.md', 'x.md'])
    expect(await idsOf([join(folder, 'a/b'), join(folder, 'a/x.md')], tmpdir(), join(folder, 'a'))).toEqual(['b/y.md', 'x.md'])
    expect(await idsOf([join(folder, 'a/b'), join(folder, 'a/x.md')], join(folder, 'a/node_modules'))).toEqual(['b/y.md', 'x.md'])
    await expect(findFiles(['none/*.md'], folder)).rejects.toThrow(/: no such file, folder or match$/)
    await expect(findFiles(['notes-2'], folder)).rejects.toThrow(
      'notes-2: no such file, folder or match (a corpus is named by --corpus notes-2)',
    )
  })
})

describe('what does not fit', () => {
  it('[N22] the parts of a text are the text when joined, and each is small enough', () => {
    const text = fc
      .array(fc.constantFrom('word ', 'é', '🦆', '\n', '\n\n', 'supercalifragilistic'), { maxLength: 200 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 60 }), (whole, max) => {
        const parts = [...splitText(whole, max)]
        expect(parts.join('')).toBe(whole)
        expect(parts.filter((part) => part === '' || Buffer.byteLength(part) > max || !part.isWellFormed())).toEqual([])
      }),
      { seed: 24 },
    )
  })

  it('[N22] a part ends before a heading where there is one in its second half', () => {
    const text = `${'word '.repeat(12)}\n\n# Herons\n\n${'fish '.repeat(12)}`
    expect([...splitText(text, 90)]).toEqual([`${'word '.repeat(12)}\n\n`, `# Herons\n\n${'fish '.repeat(12)}`])
    expect([...splitText('#hash\n#tag no heading\n\nwords and words', 30)][0]).toBe('#hash\n#tag no heading\n\n')
  })

  it('[N22] a document of two MiB becomes parts, an id of 300 bytes ends in a fingerprint', () => {
    const parts = [...fitDocument({ id: 'long', title: 'T', text: 'A heron waits.\n\n'.repeat(2 ** 17) })]
    expect(parts.map(({ id, title }) => [id, title])).toEqual([1, 2, 3, 4].map((n) => [`long#part-${n}`, 'T']))
    const text = Array.from({ length: 400 }, (_, i) => `Page ${i + 1} ${'word '.repeat(800)}`)
    const outline = text.map((_, i) => ({ start: text.slice(0, i).join('\n\n').length + (i > 0 ? 2 : 0), page: i + 1 }))
    for (const part of fitDocument({ id: 'pages', text: text.join('\n\n'), outline }))
      for (const { start, page = 0 } of part.outline ?? [])
        expect(part.text.slice(start).startsWith(`Page ${page} `) || (start === 0 && /^(word |\n)/.test(part.text))).toBe(true)
    const [one] = [...fitDocument({ id: 'ü'.repeat(150), title: '', text: 'x' })]
    const [other] = [...fitDocument({ id: `${'ü'.repeat(149)}ä`, title: '', text: 'x' })]
    expect([Buffer.byteLength(one?.id ?? '') <= 256, one?.id === other?.id, one?.id.startsWith('üüü')]).toEqual([true, false, true])
  })
})

describe('other systems', () => {
  const xml = `<?xml version="1.0"?><graphml><key id="d0" for="node" attr.name="description"/><key id="d1" for="edge" attr.name="keywords"/><key id="d2" for="edge" attr.name="description"/>
    <graph><node id="&quot;HERON&quot;"><data key="d0">A bird.&lt;SEP&gt;It waits.</data></node><node id="POND"/><edge source="&quot;HERON&quot;" target="POND"><data key="d1">lives at</data><data key="d2">All year.</data></edge></graph></graphml>`

  it('[N20] GraphML becomes one document a node, with its relations', () => {
    expect(readGraphml(xml, 'g', localBounds).map(({ path: id, text }) => ({ id, text }))).toEqual([
      { id: 'g#"HERON"', text: '"HERON"\n\nA bird.\n\nIt waits.\n\n"HERON" – lives at – POND: All year.' },
      { id: 'g#POND', text: 'POND\n\n"HERON" – lives at – POND: All year.' },
    ])
  })

  it('[N20] an export of Loam as GraphML is refused with the way that works', () => {
    const own =
      '<graphml><graph><node id="d"><data key="kind">document</data></node><node id="c"><data key="kind">chunk</data></node></graph></graphml>'
    expect(() => readGraphml(own, 'g', localBounds)).toThrow('loam export --format jsonl')
  })

  it('[N20] folders of GraphRAG and LightRAG give the documents they were made of', async () => {
    const columnData = [
      { name: 'id', data: ['a1', 'b2'] },
      { name: 'title', data: ['heron.txt', 'none.txt'] },
      { name: 'text', data: ['A heron.', ''] },
    ]
    write('graphrag/output/documents.parquet', new Uint8Array(parquetWriteBuffer({ columnData })))
    write(
      'lightrag/kv_store_full_docs.json',
      JSON.stringify({ 'doc-1': { content: 'An owl.', file_path: 'owl.txt' }, 'doc-2': { content: '' } }),
    )
    const left = async (name: string): Promise<unknown[]> => all(findForeign(join(folder, name))?.documents() as AsyncIterable<unknown>)
    expect(await left('graphrag')).toEqual([{ id: 'a1', title: 'heron.txt', text: 'A heron.', metadata: { source: 'graphrag' } }])
    expect(await left('lightrag')).toEqual([{ id: 'doc-1', title: 'owl.txt', text: 'An owl.', metadata: { source: 'lightrag' } }])
    expect(findForeign(folder)).toBeUndefined()
    const columns = [
      { name: 'id', data: ['a1'] },
      { name: 'human_readable_id', data: [0], type: 'INT32' as const },
      { name: 'title', data: ['heron.txt'] },
      { name: 'text', data: ['A heron.'] },
      { name: 'creation_date', data: ['2026-01-02 00:00:00 +0000'] },
      { name: 'metadata', data: ['{"author":"Ana","tags":["x"]}'] },
    ]
    write('newer/documents.parquet', new Uint8Array(parquetWriteBuffer({ columnData: columns })))
    const metadata = { source: 'graphrag', author: 'Ana', creation_date: '2026-01-02 00:00:00 +0000' }
    expect(await left('newer')).toEqual([{ id: 'a1', title: 'heron.txt', text: 'A heron.', metadata }])
  })

  it('[N870] what is wrong in them is named by file and row', async () => {
    const failure = (name: string) =>
      all(findForeign(join(folder, name))?.documents() as AsyncIterable<unknown>).then(
        () => 'read',
        (error: Error) => error.message.replace(folder, ''),
      )
    const units = [
      { name: 'id', data: ['', ''] },
      { name: 'text', data: ['', 'A heron.'] },
    ]
    write('nameless/text_units.parquet', new Uint8Array(parquetWriteBuffer({ columnData: units })))
    expect(await failure('nameless')).toBe('/nameless/text_units.parquet, row 2: has neither `id` nor `human_readable_id`')
    write('broken/documents.parquet', 'PAR1 is not all there is to it')
    expect(await failure('broken')).toContain('/broken/documents.parquet: is not a readable Parquet file')
    write('cut/kv_store_full_docs.json', '{"doc-1": {"content": "An o')
    expect(await failure('cut')).toBe('/cut/kv_store_full_docs.json: is not JSON')
    write('odd/kv_store_full_docs.json', '{"doc-1": {"content": 7}}')
    expect(await failure('odd')).toBe('/odd/kv_store_full_docs.json: `content` of entry doc-1 is not text')
  })
})
