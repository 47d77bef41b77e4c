/** Names of files in a header: made from titles, which anyone may have written. */
import { describe, expect, it } from 'vitest'
import { inlineName } from '../../../src/http/inline-name'

const nameOf = (title: string): string => {
  const header = inlineName(title, '.pdf')
  expect(header).toMatch(/^inline; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/)
  return decodeURIComponent(header.slice("inline; filename*=UTF-8''".length))
}

describe('the name of a kept file', () => {
  it('[H2130] is its title, with one ending, in any script', () => {
    expect(nameOf('Herons of Tidewater')).toBe('Herons of Tidewater.pdf')
    expect(nameOf('Report.PDF')).toBe('Report.pdf')
    expect(nameOf('Über Reiher (2024) – ’s *Nest*')).toBe('Über Reiher (2024) – ’s Nest.pdf')
    expect(nameOf('報告書 🦆')).toBe('報告書 🦆.pdf')
  })

  it('[H2130] holds nothing that ends the header, leads into another folder, or turns letters around', () => {
    expect(nameOf('a"; x=y\r\nset-cookie: b')).toBe('a ; x=y set-cookie b.pdf')
    expect(nameOf('../../etc/passwd')).toBe('.. .. etc passwd.pdf')
    expect(nameOf('invoice\u202Efdp.exe')).toBe('invoice fdp.exe.pdf')
    expect(nameOf('\u0000 ')).toBe('document.pdf')
    expect(nameOf('')).toBe('document.pdf')
    expect(nameOf(`${'x'.repeat(119)}\u{1F986}`)).toBe(`${'x'.repeat(119)}\uFFFD.pdf`)
  })
})
