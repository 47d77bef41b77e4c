/** The pictures of a scan's pages: which pages are scans, and what of them a model gets to see. */
import { inflateSync } from 'node:zlib'
import { zlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { visionLimits } from '../../../src/platform-limits'
import { drawing, openScan } from '../../../src/reading/pdf/scan-pages'
import { flawOf } from '../../../src/reading/pictures'
import { readFile } from '../../../src/reading/read-file'
import { bytesOf, deflated, pdf, stream } from '../http/pdf-bytes'
import { JPEG, jpeg, type PagePicture, scanned } from './scans'

const GREY = '/ColorSpace/DeviceGray/BitsPerComponent 8'
const COLOUR = '/ColorSpace/DeviceRGB/BitsPerComponent 8'

async function page(file: Uint8Array, number = 1) {
  const scan = await openScan(file)
  try {
    return await scan.page(number)
  } finally {
    scan.close()
  }
}
const of = (picture: PagePicture) => page(scanned([picture]))

/** Width, height, and the points of a PNG, row by row without their filter. */
function unpacked(png: Uint8Array): { readonly width: number; readonly height: number; readonly points: Uint8Array } {
  const buffer = Buffer.from(png)
  const [width, height, channels] = [buffer.readUInt32BE(16), buffer.readUInt32BE(20), buffer[25] === 2 ? 3 : 1]
  const data = inflateSync(buffer.subarray(41, 41 + buffer.readUInt32BE(33)))
  const rows = Array.from({ length: height }, (_, y) => data.subarray(y * (width * channels + 1) + 1, (y + 1) * (width * channels + 1)))
  return { width, height, points: new Uint8Array(Buffer.concat(rows)) }
}

describe('a page of a scan', () => {
  it('[F1993] is one without a text that draws a picture; a page that is empty, or draws a mark alone, is none', async () => {
    const file = scanned(['Of herons', { data: JPEG }, null, { data: JPEG, width: 40, height: 40 }, { data: jpeg('b') }])
    expect(await readFile({ bytes: file, type: 'pdf' })).toMatchObject({
      kind: 'converted',
      text: 'Of herons',
      outline: [{ start: 0, page: 1 }],
      scans: [2, 5],
    })
    expect(await readFile({ bytes: scanned([{ data: JPEG }, null]), type: 'pdf' })).toMatchObject({ why: 'no_text', pages: 2, scans: [1] })
    const plain = await readFile({ bytes: scanned(['Of herons']), type: 'pdf' })
    expect('scans' in plain).toBe(false)
  })

  it('[F1993] gives its own JPEG as it lies in the file, whichever pictures its resources name, through forms, packed objects and inherited resources', async () => {
    const file = scanned([{ data: jpeg('a') }, { data: jpeg('b') }])
    expect(await page(file, 2)).toEqual({ kind: 'pictures', pictures: [{ bytes: jpeg('b'), media: 'image/jpeg' }] })
    const image = stream(100, `/Subtype/Image/Width 320/Height 120${GREY}/Filter[/DCTDecode]`, jpeg('c'))
    const form = stream(101, '/Subtype/Form/Resources<</XObject<</I 100 0 R>>>>', 'q /I Do Q')
    expect(await page(pdf(['/F1 Do'], { resources: '/XObject<</F1 101 0 R>>', more: [image, form] }))).toMatchObject({
      pictures: [{ bytes: jpeg('c') }],
    })
    const [head, packed] = ['20 0 21 14 ', '<</Page true>><</XObject<</Im#30 100 0 R>>>>']
    const twice = bytesOf(
      '%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[10 0 R]/Count 1/Resources 21 0 R>>endobj\n',
      '10 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Contents 11 0 R>>endobj\n',
      stream(12, ...deflated(`${head}${packed}`, `/Type/ObjStm/N 2/First ${head.length}`)),
      stream(11, ...deflated('q 1 0 0 1 0 0 cm /Im0 Do Q')),
      stream(100, `/Subtype/Image/Width 320/Height 120${GREY}/Filter[/FlateDecode/DCTDecode]`, zlibSync(jpeg('d'))),
      'trailer<</Root 1 0 R>>\n',
    )
    expect(await page(twice)).toMatchObject({ pictures: [{ bytes: jpeg('d'), media: 'image/jpeg' }] })
  })

  it('[F1993] what is packed otherwise becomes a PNG of its points: colour, a mask, grey; a large one is scaled down', async () => {
    const rgb = new Uint8Array(120 * 100 * 3).map((_, i) => [250, 10, 10][i % 3] ?? 0)
    const colour = await of({ data: zlibSync(rgb), dictionary: `${COLOUR}/Filter/FlateDecode`, width: 120, height: 100 })
    expect(colour.kind === 'pictures' && [...unpacked(colour.pictures[0]?.bytes ?? new Uint8Array()).points.slice(0, 6)]).toEqual([
      250, 10, 10, 250, 10, 10,
    ])
    const mask = await of({
      data: zlibSync(new Uint8Array(15 * 100).fill(0x0f)),
      dictionary: '/ImageMask true/BitsPerComponent 1/Filter/FlateDecode',
      width: 120,
      height: 100,
    })
    expect(mask.kind === 'pictures' && [...unpacked(mask.pictures[0]?.bytes ?? new Uint8Array()).points.slice(0, 8)]).toEqual([
      0, 0, 0, 0, 255, 255, 255, 255,
    ])
    const grey = new Uint8Array(2600 * 100).map((_, i) => (i % 2 === 0 ? 0 : 200))
    const large = await of({ data: zlibSync(grey), dictionary: `${GREY}/Filter/FlateDecode`, width: 2600, height: 100 })
    const half = unpacked((large.kind === 'pictures' ? large.pictures[0]?.bytes : undefined) ?? new Uint8Array())
    expect([half.width, half.height, half.points[0]]).toEqual([1300, 50, 100])
  })

  it('[F1993] says by how much it is to be turned, and of several pictures gives each in its order', async () => {
    const turned = scanned([{ data: JPEG }], { pages: '2 0 obj<</Type/Pages/Kids[10 0 R]/Count 1/Rotate 270>>endobj\n' })
    expect(await page(turned)).toMatchObject({ kind: 'pictures', turned: 270 })
    expect(await page(scanned([[{ data: jpeg('top') }, { data: jpeg('foot') }]]))).toMatchObject({
      pictures: [{ bytes: jpeg('top') }, { bytes: jpeg('foot') }],
    })
    const strips = Array.from({ length: 9 }, (_, i) => ({ data: jpeg(`${i}`) }))
    expect(await page(scanned([strips]))).toEqual({ kind: 'unread', why: 'pieces' })
  })

  it('[F1994] nothing that is claimed is believed: no bytes, half a JPEG, a size beyond all pages, a filter that is not read', async () => {
    const huge = bytesOf(JPEG)
    const frame = huge.findIndex((byte, i) => byte === 0xff && huge[i + 1] === 0xc0)
    huge.set([0xff, 0xff, 0xff, 0xff], frame + 5)
    const cases: readonly (readonly [string, PagePicture, string])[] = [
      ['no bytes', { data: new Uint8Array() }, 'broken'],
      ['half', { data: JPEG.subarray(0, JPEG.length / 2) }, 'broken'],
      ['a JPEG of 65,535 × 65,535', { data: huge }, 'too_large'],
      [
        '100,000 × 100,000 claimed',
        { data: zlibSync(new Uint8Array(100)), dictionary: `${COLOUR}/Filter/FlateDecode`, width: 100_000, height: 100_000 },
        'too_large',
      ],
      ['JPEG 2000', { data: new Uint8Array(50), dictionary: '/Filter/JPXDecode' }, 'format'],
      ['JBIG2', { data: new Uint8Array(50), dictionary: `${GREY}/Filter/JBIG2Decode` }, 'format'],
      [
        'a fax of no rows',
        {
          data: new Uint8Array(50),
          dictionary: '/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</Columns 320>>',
        },
        'broken',
      ],
      ['no such filter', { data: new Uint8Array(50), dictionary: `${GREY}/Filter/Nonsense` }, 'format'],
    ]
    for (const [name, picture, why] of cases) expect([name, await of(picture)]).toEqual([name, { kind: 'unread', why }])
    // A JPEG that says the truth of itself, in a dictionary that does not.
    expect(await of({ data: JPEG, width: 100_000, height: 100_000 })).toMatchObject({ kind: 'pictures' })
  })

  it('[F1994] a page that names one large object a thousand times, contents that all pages share, and streams without an end take little work', () => {
    const pageOf = (i: number, names: string) => `${20 + i} 0 obj<</Type/Page/Resources<</XObject<<${names}>>>>/Contents 8 0 R>>endobj\n`
    const packed = '8 0 obj<</Length 3/Filter/LZWDecode>>stream\nabc\nendstream endobj\n'
    const names = (count: number, number: (i: number) => number) =>
      Array.from({ length: count }, (_, i) => `/N${i} ${number(i)} 0 R`).join(' ')
    const pages = (count: number, named: string) => Array.from({ length: count }, (_, i) => pageOf(i, named)).join('')
    const large = `9 0 obj<<${'/K 1 '.repeat(12_000)}/Subtype/Nothing/Length 3>>stream\nabc\nendstream endobj\n`
    const endless = Array.from({ length: 1000 }, (_, i) => `${3000 + i} 0 obj<</Subtype/X>>stream\n endobj `).join('')
    const hostile: readonly (readonly [count: number, file: string])[] = [
      [
        50,
        packed +
          large +
          pages(
            50,
            names(1500, () => 9),
          ),
      ], // ten minutes of reading it again and again
      [2000, `8 0 obj<</Length 8000000>>stream\n${'/Nx  Do '.repeat(1_000_000)}\nendstream endobj\n${pages(2000, '/Nx 9 0 R')}`],
      [
        100,
        packed +
          pages(
            100,
            names(1000, (i) => 3000 + i),
          ) +
          endless +
          'e'.repeat(10_000_000),
      ],
    ]
    for (const [count, file] of hostile)
      expect(
        drawing(
          new TextEncoder().encode(file),
          Array.from({ length: count }, (_, i) => ({ ref: { num: 20 + i } })),
        ),
      ).toEqual([])
  })

  it('[F1994] forms that draw each other, and contents that thousands of pages share, end', async () => {
    const forms = Array.from({ length: 40 }, (_, i) =>
      stream(200 + i, `/Subtype/Form/Resources 300 0 R`, Array.from({ length: 40 }, (_, k) => `/F${k} Do`).join('\n')),
    )
    const all = `300 0 obj<</XObject<<${forms.map((_, k) => `/F${k} ${200 + k} 0 R`).join('')}>>>>endobj\n`
    expect(await page(pdf(['/F0 Do'], { resources: '/XObject<</F0 200 0 R>>', more: [...forms, all] }))).toEqual({
      kind: 'unread',
      why: 'blank',
    })
    const nested = `${'['.repeat(5000)}`
    expect(await page(pdf(['/I Do'], { resources: `/XObject<</I 100 0 R>>/Odd ${nested}` }))).toMatchObject({ kind: 'unread' })
  })
})

it('[F1994] a picture is known to be whole and of what size without unpacking it', () => {
  const png = new Uint8Array(40)
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0])
  expect([flawOf(JPEG, 'image/jpeg'), flawOf(JPEG.subarray(0, 500), 'image/jpeg'), flawOf(png, 'image/png')]).toEqual([
    null,
    'broken',
    'too_large',
  ])
  expect(flawOf(png.subarray(0, 12), 'image/png')).toBe('broken')
  const heavy = bytesOf(JPEG.subarray(0, -2), new Uint8Array(visionLimits.maxBytes), JPEG.subarray(-2))
  expect(flawOf(heavy, 'image/jpeg')).toBe('too_large')
})
