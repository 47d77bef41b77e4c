/** Settings between callers and the core. Rules H. */
import { describe, expect, it } from 'vitest'
import { settingsSchema } from '../../../src/contract/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { completed, settingsView, withInput } from '../../../src/http/settings'
import { fakeWorld } from './world'

const { models } = fakeWorld().wired

describe('settings', () => {
  it('[H21] what is shown can be sent back, and changes nothing', () => {
    const before = withInput(null, { erarag: { summary_tokens: 80 }, gorag: { learning: { half_life_ms: 120_000 } } }, models)
    const shown = settingsView(before.data ?? defaultSettings)
    const sent = settingsSchema.parse(shown)
    expect(withInput(before.data ?? null, sent, models)).toEqual(before)
    expect([before.data?.erarag.summary, before.data?.gorag.learning.halfLife]).toEqual([80, 120_000])
  })

  it('[H21] what a schema accepts is a setting of the core', () => {
    const known = settingsView(defaultSettings)
    const unknown = (shape: object, shown: unknown, path = ''): string[] =>
      Object.entries(shape).flatMap(([key, schema]) => {
        const here = `${path}${key}`
        const value = typeof shown === 'object' && shown !== null ? (shown as { [key: string]: unknown })[key] : undefined
        const inner = schema.unwrap?.().shape
        return value === undefined ? [here] : inner ? unknown(inner, value, `${here}.`) : []
      })
    expect(unknown(settingsSchema.shape, known)).toEqual([])
  })

  it('[H21] the length of vectors is fixed when the corpus is made; what was stored before a setting existed is completed', () => {
    const before = { ...defaultSettings, dimensions: 99 }
    const { gorag: _, ...old } = before
    expect(withInput(before, undefined, models).data?.dimensions).toBe(99)
    expect(completed(old as typeof before)).toEqual(before)
  })
})
