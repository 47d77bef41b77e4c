/**
 * Questions made from a corpus itself, to see without labels how sure its own passages make a reader: a sentence without the words that would answer, and without
 * a third of the others, since questions are not worded as the text is. Seeded: the same sentence gives the same question.
 */
import type { Random } from '../random'
import type { AnswerKind } from './question'
import { wordsIn } from './roles'
import { spansOf } from './spans'

const limits = {
  words: 6, // of a sentence that can be asked about; shorter ones say too little
  kept: 14, // words of a question at most
  dropped: 0.35, // chance of a word being left out
} as const
const ASKING: readonly (readonly [AnswerKind, string])[] = [
  ['date', 'When'],
  ['count', 'How many'],
  ['person', 'Who'],
  ['place', 'Where'],
  ['name', 'What'],
]

/** Undefined for a sentence that says too little. */
export function probeOf(sentence: string, rng: Random): string | undefined {
  if (wordsIn(sentence).length < limits.words) return undefined
  const able = ASKING.flatMap(([kind, asking]) => spansOf({ kind, text: '' }, sentence).map((span) => ({ asking, span })))
  const chosen = able[rng.below(Math.max(1, able.length))]
  const rest = chosen ? `${sentence.slice(0, chosen.span.start)} ${sentence.slice(chosen.span.end)}` : sentence
  const words = wordsIn(rest)
    .filter(() => rng.next() >= limits.dropped)
    .slice(0, limits.kept)
  return words.length > 1 ? `${chosen?.asking ?? 'What'} ${words.join(' ')}?` : undefined
}
