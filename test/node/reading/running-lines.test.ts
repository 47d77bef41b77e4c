/** Lines of a PDF that say nothing of their own: at the head and foot of page after page, and in the table of contents. */
import { expect, it } from 'vitest'
import { withoutContents } from '../../../src/reading/pdf/contents'
import { withoutRunningLines } from '../../../src/reading/pdf/running-lines'

const BIRDS = ['heron', 'owl', 'rail', 'gull']
const body = BIRDS.map((bird) => `A ${bird} waits.\nIn the reeds the ${bird} is quiet.\nThen the ${bird} flies.`)

it('[H2171] go from all pages but the first that has them; numbers of pages go from all', () => {
  const pages = body.map((text, i) => `Guide to Birds, Release 2\n${text}\nPage ${i + 1} of 4`)
  expect(withoutRunningLines(pages)).toEqual([`Guide to Birds, Release 2\n${body[0]}`, ...body.slice(1)])
})

it('[H2171] a chapter beside the number of the page goes where the chapter has a heading', () => {
  const heading = (i: number) => `3.${i + 1} On the ${BIRDS[i]}`
  const pages = body.map((text, i) => `${heading(i)}\n${text}\n3.${i + 1}. On the ${BIRDS[i]} ${i + 11}`)
  expect(withoutRunningLines(pages)).toEqual(body.map((text, i) => `${heading(i)}\n${text}`))
})

it('[H2171] what differs, what two pages have, and what a page has alone stay', () => {
  const pages = [
    'Invoice 17\nHerons\n7 thalers',
    'Invoice 21\nOwls\n9 thalers',
    'Invoice 23\nRails\n7 thalers',
    'Gulls',
    '',
    'Thanks\nfor\nall\nthe\nherons',
  ]
  expect(withoutRunningLines(pages)).toEqual(pages)
})

it('[H2173] a table of contents goes; what is said nowhere else, and a few lines that end in a number, stay', () => {
  const headings = ['1 Birds', '1.1 Herons', '1.2 Owls by night', '2 Nests']
  const chapters = headings.map((heading) => `${heading}\nThey wait.`)
  const contents = [
    'Contents',
    '1 Birds … 3',
    '1.1 Herons … iv',
    '1.2 Owls by night … 5',
    '2 Nests 12',
    'Appendix: eggs … 99',
    'In 1911',
  ].join('\n')
  expect(withoutContents([contents, ...chapters])).toEqual(['Contents\nAppendix: eggs … 99\nIn 1911', ...chapters])
  const few = 'Herons\nHerons 12\nOwls\nOwls 7\n12'
  expect(withoutContents([few])).toEqual([few])
})
