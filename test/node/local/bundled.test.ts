/** What a start does not bundle again, and what it does. */
import { appendFileSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bundled } from '../../../scripts/lib/bundled.mjs'

const LONG_AGO = 1_700_000_000 // s
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loam-bundled-'))
  write('entry.ts', `import { word } from './word'\nconsole.log(word)`)
  write('word.ts', `export const word: string = 'heron'`)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string, time = LONG_AGO): void {
  writeFileSync(join(folder, name), text)
  utimesSync(join(folder, name), time, time)
}
const kept = (): string => join(folder, 'kept')
const bundle = (more = {}): string => bundled(join(folder, 'entry.ts'), { kept: kept(), ...more })
const files = (): string[] => {
  try {
    return readdirSync(kept()).map((name) => join(kept(), name))
  } catch {
    return []
  }
}
/** Marks what is kept, so that it shows where it is used. */
const mark = (): void => {
  for (const file of files()) appendFileSync(file, '// kept')
}

it('[H2370] a bundle is used again while its files are as they were, however it is asked for', () => {
  const text = bundle()
  expect(text).toContain('heron')
  mark()
  expect([bundle(), files().length]).toEqual([`${text}// kept`, 1])
  const readable = bundle({ isReadable: true })
  expect([readable.includes('// kept'), files().length]).toEqual([false, 2])
})

it('[H2370] it is made anew when one of its files is another, of the same length and age, or is gone', () => {
  bundle()
  mark()
  write('word.ts', `export const word: string = 'crane'`)
  const text = bundle()
  expect([text.includes('crane'), text.includes('// kept')]).toEqual([true, false])
  rmSync(join(folder, 'word.ts'))
  expect(bundle).toThrow('word')
  write('word.ts', `export const word: string = 'stork'`)
  expect(bundle()).toContain('stork')
})

it('[H2370] what is edited while it is bundled is not kept, nor what does not compile; what cannot be kept is bundled all the same', () => {
  write('word.ts', `export const word: string = 'heron'`, Date.now() / 1000 + 60)
  expect([bundle().includes('heron'), files()]).toEqual([true, []])
  write('word.ts', 'export const word: string =')
  expect(bundle).toThrow()
  expect(files()).toEqual([])
  write('word.ts', `export const word: string = 'heron'`)
  expect(bundle({ kept: join(folder, 'entry.ts', 'no-folder') })).toContain('heron')
})
