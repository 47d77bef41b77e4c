/**
 * Divides texts before the transaction that accepts them, a few at a time: with fifty documents this takes longer than a question, and needs nothing from
 * the store. Only while the corpus is being asked; otherwise the transaction divides them itself.
 */
import type { Settings } from '../../../src/core/settings'
import type { ChunkSettings, Divided } from '../../../src/core/text/divide'
import { divide } from '../../../src/core/text/divide'
import type { DocumentInput } from '../../../src/ports/documents'
import { questionsFirst } from '../../../src/question-precedence'
import { isBeingQueried } from '../query-load'
import type { CorpusContext } from '../store'
import { languageOfInput } from './language'

const CHARS = 24_000 // of texts divided in one slice: some five chunks, 5 ms

/** By text, with the settings used. */
export interface DividedAhead {
  readonly chunking: ChunkSettings
  readonly texts: ReadonlyMap<DocumentInput, Divided>
}

export async function divideAhead(context: CorpusContext, upserts: readonly DocumentInput[]): Promise<DividedAhead | undefined> {
  const chars = upserts.reduce((sum, { text }) => sum + text.length, 0)
  if (!isBeingQueried(context) || chars <= CHARS) return undefined
  const { settings } = context.config
  const { chunking } = settings
  const texts = new Map<DocumentInput, Divided>()
  let left = CHARS
  for (const input of upserts) {
    if (left < input.text.length) {
      await questionsFirst.giveWay()
      left = CHARS
    }
    left -= input.text.length
    texts.set(input, divide(dividable(input, settings), chunking))
  }
  await questionsFirst.giveWay()
  return { chunking, texts }
}

const dividable = (input: DocumentInput, settings: Settings) => ({ ...input, language: languageOfInput(settings, input) })

/** A text divided ahead is used if it would be divided the same way now. */
export function divisionOf({ config }: Pick<CorpusContext, 'config'>, input: DocumentInput, ahead?: DividedAhead): Divided {
  const { chunking } = config.settings
  return (ahead?.chunking === chunking ? ahead.texts.get(input) : undefined) ?? divide(dividable(input, config.settings), chunking)
}
