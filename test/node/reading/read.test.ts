/** Web pages and Markdown as text, whatever they hold. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHtml } from '../../../src/reading/html'
import { readMarkdown } from '../../../src/reading/markdown'

const text = (html: string): string | undefined => readHtml(html)?.text

describe('a page', () => {
  it('[H86] keeps headings, paragraphs, lists, tables and preformatted text, and leaves out what is not text', () => {
    const page = `<!doctype html><html><head><title> A &amp; B </title><style>p{}</style><script>let x = '<p>no</p>'</script></head>
<body><nav><a href="/">Home</a></nav><h1>Mills</h1><p>The <b>old</b>
   mill&nbsp;burned<br>in 1871.</p><ul><li>stone</li><li>timber<ul><li>oak</li></ul></li></ul>
<table><tr><th>Year</th><th>Owner</th></tr><tr><td>1871</td><td>Ada</td></tr></table>
<pre>a
  b</pre><svg><title>icon</title></svg>un<i>broken</i> 中文<p>End</body></html>`
    expect(readHtml(page)).toEqual({
      title: 'A & B',
      text: '# Mills\n\nThe old mill burned\nin 1871.\n\n- stone\n- timber\n\n- oak\n\n| Year | Owner |\n| --- | --- |\n| 1871 | Ada |\n\na\n  b\n\nunbroken 中文\n\nEnd',
    })
  })

  it('[F2060] writes a table with the line below its head that Markdown asks for; what is laid out in one, or nested, stays lines', () => {
    const hours =
      '<table><caption>Open</caption><tr><th>Day<th>Hours</tr><tr><td><p><b>Sat</b>urday</p><td>8 to 12<br>or | later<tr><td>Sunday</table>'
    expect(text(`<p>We are there:${hours}Come!`)).toBe(
      'We are there:\n\nOpen\n\n| Day | Hours |\n| --- | --- |\n| Saturday | 8 to 12 or \\| later |\n| Sunday |  |\n\nCome!',
    )
    expect(text('<table><tr><td>a<td><ul><li>b</ul><tr><td>c<td>d</table>')).not.toContain('---')
    expect(text('<table><tr><td>a<td><p>b<p>e<tr><td>c<td>d</table>')).not.toContain('---')
    expect(text(`<table><tr><td>a<td>${'word '.repeat(300)}<tr><td>c<td>d</table>`)).not.toContain('---')
    const nested = '<table><tr><td>a<td><table><tr><td>x<td>y<tr><td>1<td>2</table><tr><td>c<td>d</table>'
    expect(text(nested)?.match(/^\|.*$/gm)).toEqual(['| x | y |', '| --- | --- |', '| 1 | 2 |'])
    const wide = `<table><tr>${'<td>w'.repeat(2000)}</tr>${'<tr><td>a</tr>'.repeat(2000)}</table>`
    expect(text(wide)).not.toContain('---')
  })

  it('[H86] with elements that are not closed is still read', () => {
    expect(text('<head><title>T</title><body><p>One<p>Two<div>Three<li>Four')).toBe('One\n\nTwo\n\nThree\n- Four')
  })

  it('[H86] that is built to exhaust its reader is read in time linear in its length, or refused', () => {
    expect(readHtml('<div>'.repeat(1_000_000))).toBe(null)
    expect(text('<table><tr><td rowspan=99999999 colspan=99999999>x</td></tr></table>')).toBe('x')
    expect(text(`${'<div>'.repeat(1500)}${'</b>'.repeat(200_000)}x`)).toBe('x')
    expect(text('<'.repeat(1_000_000))?.length).toBeGreaterThan(0)
    expect(text(`<table>${'<tr><td>x<td>y</tr>'.repeat(50_000)}</table>`)?.length).toBe(50_000 * 10 + 13)
  })

  it('[H86] of any characters at all gives text without tags and never throws', () => {
    const tag = fc.constantFrom(
      '<p>',
      '</p>',
      '<pre>',
      '</pre>',
      '<td>',
      '</nav>',
      '<nav>',
      '<title>',
      '<br>',
      '<h9>',
      '<h2>',
      '&lt;b&gt;',
      '&#0;',
      '<!--',
      '-->',
      '<![CDATA[',
      '<svg>',
      '</svg>',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, fc.string({ unit: 'grapheme', maxLength: 5 })), { maxLength: 60 }), (parts) => {
        const result = readHtml(parts.join(''))
        expect(typeof result?.text).toBe('string')
      }),
      { seed: 89, numRuns: 1000 },
    )
  })
})

describe('a Markdown file', () => {
  it.each([
    ['quoted in front matter', '---\ntitle: "Of \\"herons\\""\ntags: x\n---\n# Herons\n', { title: 'Of "herons"', text: '# Herons\n' }],
    [
      'folded over lines',
      '---\r\ntitle: >-\r\n  Of herons\r\n  and owls\r\n---\r\nA heron.',
      { title: 'Of herons and owls', text: 'A heron.' },
    ],
    ['a number', '---\ntitle: 1984\n---\nA book.', { title: '1984', text: 'A book.' }],
    ['a heading', 'Before.\n\n## Owls ##\n', { title: 'Owls', text: 'Before.\n\n## Owls ##\n' }],
    ['not there', '---\ntags: x\n---\nA heron.', { title: '', text: 'A heron.' }],
    ['after a rule', '---\nA heron waits.\n---\n# Owls', { title: 'Owls', text: '---\nA heron waits.\n---\n# Owls' }],
    ['after a rule that closes nothing', '---\n# Owls\n', { title: 'Owls', text: '---\n# Owls\n' }],
    ['behind what is no YAML', '---\n"a: [\n---\n# Owls', { title: 'Owls', text: '---\n"a: [\n---\n# Owls' }],
  ])('[H32] whose title is %s', (_, markdown, read) => {
    expect(readMarkdown(markdown)).toEqual(read)
  })
})
