/** The lines at the head and foot of page after page. */
import { expect, it } from 'vitest'
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
