/** Questions to several corpora at once, and their answers: like those of one corpus, each piece with the corpus it is from. */
import { z } from 'zod'
import { nearest, superseded } from './disagreements'
import { exact } from './exact'
import { corpusNameSchema, count } from './fields'
import type { Immutable } from './immutable'
import { type Asked, optionsFit } from './options'
import {
  type AskEvent,
  answered,
  citation,
  evidence,
  place,
  queryResult,
  searched,
  searchResult,
  type Timing,
  type Usage,
} from './questions'

export const MAX_CORPORA = 8 // of one question

const { min_version: _, ...asked } = searched
const named = {
  ...asked,
  corpora: z
    .array(corpusNameSchema)
    .min(1)
    .max(MAX_CORPORA)
    .refine((names) => new Set(names).size === names.length, { message: 'lists a corpus twice' })
    .describe(`The corpora to ask: 1 to ${MAX_CORPORA}.`),
  min_version: z
    .record(corpusNameSchema, z.int().min(0))
    .optional()
    .describe('By corpus: waits up to 10 s for this version; otherwise the corpus is in `skipped`.'),
}

export const severalSearchSchema = exact(named).superRefine(fits)
export const severalQuerySchema = exact({
  ...named,
  ...answered,
  stream: z.boolean().optional().describe('Answer as server-sent events.'),
}).superRefine(fits)

interface Named extends Asked {
  readonly corpora: readonly string[]
  readonly min_version?: { readonly [corpus: string]: number } | undefined
}

function fits(body: Named, context: z.RefinementCtx): void {
  optionsFit(body, context)
  for (const name of Object.keys(body.min_version ?? {})) {
    if (!body.corpora.includes(name)) context.addIssue({ code: 'custom', path: ['min_version', name], message: 'is not among `corpora`' })
  }
}

const corpus = z.string().describe('The corpus it is from.')
const from = { corpus }

const severalEvidence = evidence.extend({
  ...from,
  also: z.array(place.extend(from)).optional().describe('Other places with the same text.'),
})
const severalCitation = citation.extend(from)
const statement = superseded.shape.current.extend(from)

const ofAll = {
  evidence: z.array(severalEvidence),
  question_ids: z
    .record(z.string(), z.string())
    .optional()
    .describe('For each corpus that logs questions and took part: the id of this one, for `POST …/feedback`.'),
  versions: z.record(z.string(), count).describe('The version each corpus answered from.'),
  skipped: z
    .array(z.object({ corpus: z.string(), code: z.string() }))
    .describe('Corpora that could not be asked, each with the code of the problem. The answer comes from the others.'),
}

export const severalSearchResult = searchResult.omit({ version: true, question_id: true }).extend(ofAll)

export const severalQueryResult = queryResult.omit({ version: true, question_id: true, conversation: true }).extend({
  ...ofAll,
  citations: z.array(severalCitation),
  nearest: z.array(nearest.extend(from)).describe('The nearest statements, if the question is not answered.'),
  superseded: z
    .array(superseded.extend({ current: statement, replaced: z.array(statement) }))
    .optional()
    .describe('The same as in the answer of a single corpus.'),
  conflicts: z
    .array(z.object({ statements: z.array(statement) }))
    .optional()
    .describe('The same as in the answer of a single corpus.'),
})

export type SeveralSearch = Immutable<z.input<typeof severalSearchSchema>>
export type SeveralQuestion = Omit<Immutable<z.input<typeof severalQuerySchema>>, 'stream'>
export type SeveralEvidence = Immutable<z.output<typeof severalEvidence>>
export type SeveralCitation = Immutable<z.output<typeof severalCitation>>
export type SeveralSearchResult = Immutable<z.output<typeof severalSearchResult>>
export type SeveralQueryResult = Immutable<z.output<typeof severalQueryResult>>
export type Skipped = SeveralSearchResult['skipped'][number]

/** As for one corpus. */
export type SeveralEvent =
  | Extract<AskEvent, { readonly event: 'delta' | 'error' }>
  | { readonly event: 'retrieval'; readonly data: SeveralSearchResult }
  | { readonly event: 'citation'; readonly data: SeveralCitation }
  | { readonly event: 'usage'; readonly data: Usage & { readonly timing_ms: Timing } }
  | { readonly event: 'done'; readonly data: Omit<SeveralQueryResult, 'evidence' | 'trace'> }
