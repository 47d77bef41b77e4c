/** Finding a quote among the runs of text that a PDF's page is drawn from. No browser is needed for it. */
import { describe, expect, it } from 'vitest'
import type { Document } from '../../src/client/client'
import { findQuote } from '../../ui/src/pdf/find-quote'
import { fold } from '../../ui/src/pdf/folded'
import { quotedPages } from '../../ui/src/pdf/quoted-pages'

/** What is marked, run by run. */
const marked = (runs: readonly string[], quote: string, before = 0) =>
  findQuote(runs, quote, before).map(({ run, from, until }) => [run, runs[run]?.slice(from, until)])

describe('[W2131] a quote on a page', () => {
  it('is found over several runs, whatever the spaces and line breaks between them', () => {
    const runs = ['The her', 'on', ' ', 'wa', '', 'its  by ', 'the weir. ', 'Owls hunt.']
    expect(marked(runs, 'heron waits\nby the weir.')).toEqual([
      [0, 'her'],
      [1, 'on'],
      [3, 'wa'],
      [5, 'its  by'],
      [6, 'the weir.'],
    ])
    expect(marked(['a heron'], 'heron')).toEqual([[0, 'heron']])
  })

  it('is found where a word is divided at the end of a line, in either of the two', () => {
    expect(marked(['the water-', 'mill stands'], 'the watermill')).toEqual([
      [0, 'the water-'],
      [1, 'mill'],
    ])
    expect(marked(['the watermill stands'], 'the water-\nmill')).toEqual([[0, 'the watermill']])
    expect(marked(['the water\u00admill stands'], 'watermill')).toEqual([[0, 'water\u00admill']])
  })

  it('is found through ligatures, accents in two characters and letters of two units', () => {
    expect(marked(['The ﬁrst ﬂood'], 'first flood')).toEqual([[0, 'ﬁrst ﬂood']])
    expect(marked(['Le cafe\u0301 noir'], 'café noir')).toEqual([[0, 'cafe\u0301 noir']])
    expect(marked(['x 𝐀 heron', ' y'], '𝐀 heron')).toEqual([[0, '𝐀 heron']])
  })

  it('is found in scripts that run from right to left', () => {
    expect(marked(['البلشون ينتظر', 'عند السد'], 'ينتظر عند')).toEqual([
      [0, 'ينتظر'],
      [1, 'عند'],
    ])
    expect(marked(['האנפה ממתינה'], 'ממתינה')).toEqual([[0, 'ממתינה']])
    expect(marked(['\u202bהאנפה\u202c'], 'האנפה')).toEqual([[0, 'האנפה']])
  })

  it('is marked, if it is there several times, where it is nearest to its place in the text', () => {
    const runs = ['One heron. ', 'Two owls. ', 'One heron. ', 'Six owls. ', 'One heron.']
    const place = (before: number) => findQuote(runs, 'One heron.', before).map(({ run }) => run)
    const lettersTo = (run: number) => fold(runs.slice(0, run).join('')).letters.length
    expect([0, 2, 4].map((run) => place(lettersTo(run)))).toEqual([[0], [2], [4]])
    expect([place(lettersTo(2) + 2), place(lettersTo(4) - 3), place(1e6)]).toEqual([[2], [4], [4]])
  })

  it('is nowhere if the page does not say it, or if it has no letters', () => {
    expect([marked(['The heron'], 'The owl'), marked([], 'owl'), marked(['The heron'], ' \n-')]).toEqual([[], [], []])
  })
})

describe('[W2132] the pages of a quote', () => {
  const text = 'One heron.\n\nTwo owls.\n\nThree.\n\nFour.\n\nFive.'
  const starts = [0, 12, 23, 31, 38]
  const document = { text, outline: starts.map((start, i) => ({ start, page: i + 5 })) } as unknown as Document

  it('are each with its part of it, and what stands before that', () => {
    expect(quotedPages(document, 4, 9)).toEqual([{ page: 5, quote: 'heron', before: 3 }])
    expect(quotedPages(document, 16, 29)).toEqual([
      { page: 6, quote: 'owls.\n\n', before: 3 },
      { page: 7, quote: 'Three.', before: 0 },
    ])
    expect(quotedPages(document, 0, 11)).toEqual([{ page: 5, quote: 'One heron.\n', before: 0 }])
  })

  it('are at most three; without a quote there is none, and without known pages it is looked for on the first', () => {
    expect(quotedPages(document, 0, text.length).map(({ page }) => page)).toEqual([5, 6, 7])
    expect(quotedPages(document, 0, 0)).toEqual([])
    expect(quotedPages({ text } as unknown as Document, 4, 9)).toEqual([{ page: 1, quote: 'heron', before: 3 }])
  })
})
