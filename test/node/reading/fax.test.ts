/** Fax pictures (CCITT), unpacked: what an independent encoder (libtiff) packed, and what nobody would. */
import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { zlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { unpackedFax } from '../../../src/reading/pdf/fax'
import { openScan } from '../../../src/reading/pdf/scan-pages'
import { dice } from '../corpus/working'
import { scanned } from './scans'

const fixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(`./fixtures/fax-${name}.bin`, import.meta.url)))
/** 331 by 97 points: words, a ring, areas, single points, light on dark as libtiff packs a picture whose black is 0. */
const ROWS = fixture('rows')
const [columns, rows] = [331, 97]
const SIZE = { columns, rows, isAligned: false }

const FORMS = [
  ['g4', -1, false],
  ['g3', 0, false],
  ['g3-2d', 4, false],
  ['rle', 0, true],
] as const

/** What is behind the last point of a row says nothing. */
const shown = (points: Uint8Array | null): string =>
  Array.from({ length: rows }, (_, y) =>
    Array.from({ length: columns }, (_, x) => ((points?.[y * 42 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1).join(''),
  ).join('\n')

describe('a fax picture', () => {
  it('[F2020] of group 4 and of group 3, with rows that refer to others or begin with a byte, is what was packed', () => {
    for (const [name, k, isAligned] of FORMS)
      expect([name, shown(unpackedFax(fixture(name), { ...SIZE, k, isAligned }))]).toEqual([name, shown(ROWS)])
    const wide = unpackedFax(fixture('wide'), { k: 0, columns: 5200, rows: 40, isAligned: false })
    const black = (y: number) => Array.from({ length: 5200 }, (_, x) => ((wide?.[y * 650 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1)
    const sum = (y: number) => 5200 - black(y).reduce((all, one) => all + one, 0)
    expect([sum(0), sum(7), sum(12)]).toEqual([5200, 239, 239 + 2601]) // runs longer than any code
  })

  it('[F2021] that is cut off, or says something else than its dictionary, is none; bytes at random end', () => {
    const random = dice(4)
    for (const [name, k, isAligned] of FORMS) {
      const data = fixture(name)
      expect([name, unpackedFax(data.subarray(0, data.length / 2), { ...SIZE, k, isAligned })]).toEqual([name, null])
      expect(unpackedFax(new Uint8Array(), { ...SIZE, k, isAligned })).toBeNull()
      for (let i = 0; i < 200; i++) {
        const noise = Uint8Array.from({ length: 400 }, () => random(256))
        for (const one of [noise, new Uint8Array(4000).fill(i), data.map((byte, at) => (at === i * 7 ? byte ^ 0x55 : byte))])
          expect((unpackedFax(one, { ...SIZE, k, isAligned }) ?? ROWS).length).toBe(ROWS.length)
      }
    }
  })

  it('[F2021] of group 3 whose line was bad has its other rows', () => {
    const data = fixture('g3')
    const bad = data.map((byte, at) => (at === 900 ? byte ^ 0xff : byte))
    const [whole, found] = [new Set(shown(ROWS).split('\n')), shown(unpackedFax(bad, { ...SIZE, k: 0 })).split('\n')]
    expect(found.filter((row) => whole.has(row)).length).toBeGreaterThan(rows * 0.9)
  })
})

describe('a page of a scan that is a fax picture', () => {
  const of = async (
    data: Uint8Array,
    dictionary: string,
    size: { readonly width: number; readonly height: number } = { width: columns, height: rows },
  ) => {
    const scan = await openScan(scanned([{ data, dictionary, ...size }]))
    try {
      return await scan.page(1)
    } finally {
      scan.close()
    }
  }
  const DEVICE = '/ColorSpace/DeviceGray/BitsPerComponent 1'
  const G4 = `/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${columns}/Rows ${rows}>>`
  const grey = async (found: Awaited<ReturnType<typeof of>>) => {
    const png = Buffer.from((found.kind === 'pictures' && found.pictures[0]?.bytes) || new Uint8Array())
    const data = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
    return Array.from({ length: rows }, (_, y) =>
      [...data.subarray(y * (columns + 1) + 1, (y + 1) * (columns + 1))].map((one) => one & 1).join(''),
    ).join('\n')
  }

  it('[F2020] is read, dark on light as it is shown: packed again, a mask, with black as 1, with its values turned round', async () => {
    const data = fixture('g4')
    const white = shown(ROWS)
    const black = white.replace(/[01]/g, (bit) => (bit === '1' ? '0' : '1'))
    const cases: readonly (readonly [string, Uint8Array, string, string])[] = [
      ['plain', data, `${DEVICE}${G4}`, white],
      ['a mask', data, `/ImageMask true/BitsPerComponent 1${G4}`, white],
      ['in flate', zlibSync(data), `${DEVICE}/Filter[/FlateDecode/CCITTFaxDecode]/DecodeParms[null<</K -1/Columns ${columns}>>]`, white],
      ['black is 1', data, `${DEVICE}/Filter[/CCITTFaxDecode]/DecodeParms[<</K -1/BlackIs1 true/Columns ${columns}>>]`, black],
      ['turned round', data, `${DEVICE}/Decode[1 0]${G4}`, black],
      ['both', data, `${DEVICE}/Decode[1 0]/Filter/CCITTFaxDecode/DecodeParms<</K -1/BlackIs1 true/Columns ${columns}>>`, white],
      ['group 3', fixture('g3'), `${DEVICE}/Filter/CCITTFaxDecode/DecodeParms<</Columns ${columns}/EndOfLine true>>`, white],
    ]
    for (const [name, bytes, dictionary, expected] of cases)
      expect([name, await grey(await of(bytes, dictionary))]).toEqual([name, expected])
  })

  it('[F2021] is refused with the reason where it is cut off, claims too many points, or has colours of its own', async () => {
    const data = fixture('g4')
    expect(await of(data.subarray(0, 800), `${DEVICE}${G4}`)).toEqual({ kind: 'unread', why: 'broken' })
    expect(await of(data, `${DEVICE}${G4.replace('331', '60000')}`, { width: 60_000, height: 60_000 })).toEqual({
      kind: 'unread',
      why: 'too_large',
    })
    expect(await of(data, `/ColorSpace[/Indexed/DeviceRGB 1<000000ffffff>]/BitsPerComponent 1${G4}`)).toEqual({
      kind: 'unread',
      why: 'format',
    })
  })
})
