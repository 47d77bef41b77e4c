/** Workers AI's Markdown conversion behind its port: shapes, refusals, half answers, and calls that may be billed. */
import { describe, expect, it } from 'vitest'
import { markdownConversion } from '../../../src/adapters/markdown-conversion'
import type { LostAttempt } from '../../../src/ports/models'
import { conversionStandIn } from './conversion-stand-in'

const PICTURE = { bytes: new Uint8Array([1, 2, 3]), media: 'image/png' } as const
const SCAN = { bytes: new Uint8Array([1, 2, 3]), media: 'application/pdf' } as const

/** Time passes when it is slept or a deadline is waited for. */
function conversion(says?: readonly string[]) {
  const stand = conversionStandIn(says)
  const slept: number[] = []
  let now = Date.UTC(2026, 10, 1)
  const world = {
    now: () => now,
    sleep: async (ms: number) => {
      slept.push(ms)
      now += ms
    },
    after: (ms: number, then: () => void) => {
      const timer = setTimeout(then, ms > 100_000 ? 5 : ms)
      return () => clearTimeout(timer)
    },
    random: () => 0.5,
  }
  const describer = markdownConversion(stand.binding, { gateway: 'g' }, world)
  const repeats: LostAttempt[] = []
  const asking = (may = true) => ({
    mayRepeat: async (lost: LostAttempt) => {
      repeats.push(lost)
      return may
    },
  })
  return { ...stand, describer, slept, repeats, asking }
}

const faultOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: Error) => `${error.name} ${error.message}`,
  )

describe('the Markdown conversion', () => {
  it('[F787] describes a picture in the language that is asked for, as far as it knows it, through the gateway', async () => {
    const { describer, asked } = conversion(['Ein Reiher.'])
    expect(await describer.describe({ ...PICTURE, language: 'de-AT' })).toEqual({
      kind: 'described',
      pages: [{ text: 'Ein Reiher.' }],
      calls: 1,
    })
    await describer.describe({ ...PICTURE, language: 'fi' })
    expect(asked[0]).toMatchObject({ name: 'document.png', type: 'image/png', size: 3 })
    expect(asked.map(({ options }) => options)).toMatchObject([
      { gateway: { id: 'g' }, conversionOptions: { image: { descriptionLanguage: 'de' } } },
      { conversionOptions: { image: { descriptionLanguage: 'en' } } },
    ])
  })

  it('[F787] gives the pages of a scan without the conversion’s own headings, and has its pictures converted', async () => {
    const { describer, asked } = conversion(['A letter of 1912.', '', 'Signed: Anna.'])
    expect(await describer.describe(SCAN)).toMatchObject({
      pages: [
        { page: 1, text: 'A letter of 1912.' },
        { page: 3, text: 'Signed: Anna.' },
      ],
    })
    expect(asked[0]?.options).toMatchObject({
      conversionOptions: { pdf: { metadata: false, images: { convert: true, maxConvertedImages: 10 } } },
    })
  })

  it('[F787] a file it can make nothing of is refused at once; what is wrong for a while is tried again, as any call', async () => {
    const one = conversion()
    one.script.push({ reply: { name: 'x', mimeType: 'image/png', format: 'error', error: 'Cannot decode the secret of page 1' } })
    expect(await one.describer.describe(PICTURE)).toEqual({ kind: 'refused' })
    expect([one.asked.length, await conversion(['', '']).describer.describe(SCAN)]).toEqual([1, { kind: 'refused' }])
    one.script.push({ reply: { name: 'x', mimeType: 'image/png', format: 'error', error: '3040: Capacity temporarily exceeded' } })
    expect(await one.describer.describe(PICTURE)).toMatchObject({ kind: 'described' })
    expect([one.asked.length, one.slept.length]).toEqual([3, 1])
  })

  it('[F787] half an answer is asked for once more, if it may be; whatever comes is a fault of ours without a word of the vendor’s', async () => {
    const halves = [null, {}, [], { format: 'markdown' }, { format: 'markdown', data: 7 }, { format: 'html', data: '' }]
    for (const half of halves) {
      const one = conversion()
      one.script.push({ reply: half }, { reply: half })
      expect([half, await faultOf(one.describer.describe(PICTURE, one.asking()))]).toEqual([half, 'ModelError invalid'])
      expect([one.asked.length, one.repeats]).toEqual([2, [{ isCounted: false }]])
      one.script.push({ reply: half })
      expect(await one.describer.describe(PICTURE, one.asking())).toMatchObject({ kind: 'described', calls: 2 })
      one.script.push({ reply: half })
      const before = one.asked.length
      expect(await faultOf(one.describer.describe(PICTURE, one.asking(false)))).toBe('ModelError invalid')
      expect(one.asked.length).toBe(before + 1)
    }
  })

  it('[F787] a lost call is made again only if it may be; quota, size and a conversion that is not there are told apart', async () => {
    const one = conversion()
    one.script.push({ fails: 'Network connection lost.' })
    expect(await one.describer.describe(PICTURE, one.asking())).toMatchObject({ kind: 'described' })
    one.script.push({ fails: 'Network connection lost.' })
    expect(await faultOf(one.describer.describe(PICTURE, one.asking(false)))).toBe('ModelError down')
    expect(one.asked.length).toBe(3)
    for (const [words, fault] of [
      ['3006: Request is too large', 'too_large'],
      ['5018: This account is not allowed', 'missing'],
      ['4006: you have used up your daily free allocation of 10,000 neurons', 'quota 86400'],
    ] as const) {
      const fresh = conversion()
      fresh.script.push({ fails: words })
      expect(await faultOf(fresh.describer.describe(PICTURE))).toBe(`ModelError ${fault}`)
    }
    const hanging = conversion()
    hanging.script.push({ never: true }, { never: true })
    expect(await faultOf(hanging.describer.describe(PICTURE))).toBe('ModelError timeout')
  })
})
