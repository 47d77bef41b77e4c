/**
 * What was found for the questions, as cases to learn from. Finding takes most of the time and does not depend on the reader, so it can be kept in a
 * folder and read again after the reader has changed.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { certainty } from '../../src/core/reader/confidence'
import { type Signs, signsOf } from '../../src/core/reader/signs'
import { theStaticEncoder } from '../lib/encoders'
import type { Answered, Found, Put } from './cases'

export interface Case extends Pick<Found, 'corpus' | 'lacks' | 'topic'> {
  readonly meaning: Signs | undefined
  readonly letters: Signs | undefined
  /** In ln-odds, if the answer is read off and not weighed. */
  readonly certain?: number
}

export function casesOf(found: readonly Found[]): Case[] {
  const encoder = theStaticEncoder()
  return found.map(({ corpus, lacks, topic, q, evidence, asked, count }) => {
    const certain = certainty(q, evidence, asked, encoder)
    return {
      ...{ corpus, lacks, topic },
      ...(certain === undefined ? {} : { certain: Math.log(certain / (1 - certain)) }),
      meaning: signsOf(q, evidence, asked, encoder, count),
      letters: signsOf(q, evidence, asked, undefined, count),
    }
  })
}

/** From the folder if it is there; else found, and kept in it. */
export async function kept(folder: string | undefined, find: () => Promise<Put>): Promise<Put> {
  if (!folder) return find()
  const [found, answered] = ['found', 'answered'].map((name) => join(folder, `${name}.jsonl`)) as [string, string]
  if (existsSync(found) && existsSync(answered)) return { found: lines<Found>(found), answered: lines<Answered>(answered) }
  const put = await find()
  mkdirSync(folder, { recursive: true })
  keep(found, put.found)
  keep(answered, put.answered)
  return put
}

type Known = Pick<Found, 'asked'>

function lines<T extends Known>(file: string): T[] {
  const rows = readFileSync(file, 'utf8').split('\n')
  return rows.flatMap((row) => {
    if (row === '') return []
    const one = JSON.parse(row)
    return [{ ...one, asked: new Map(one.asked) } as T]
  })
}

/** Line by line: together they are longer than a string may be. */
function keep(file: string, rows: readonly Known[]): void {
  writeFileSync(file, '')
  for (const one of rows) appendFileSync(file, `${JSON.stringify({ ...one, asked: [...one.asked] })}\n`)
}
