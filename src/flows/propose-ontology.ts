/**
 * Proposes an ontology for a corpus from a sample of what the asker may read there: counted without a model, or by one call of the text model that
 * extracts. It writes nothing. A model that is down, over budget or of no use leaves what was counted.
 */
import type { Document } from '../contract/documents'
import type { OntologyProposal, ProposeOntology } from '../contract/ontology-proposal'
import type { Page } from '../contract/pages'
import type { Degraded } from '../contract/questions'
import type { Spent } from '../contract/usage'
import type { Asker } from '../core/access/labels'
import { atOnce } from '../core/at-once'
import { countOntology, ontologyOf, type SampledChunk } from '../core/ontology-counts'
import type { CorpusConfig } from '../ports/corpus'
import type { Models } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import { type Allowance, allowanceOf, type KeyKeeper, settle } from './allowance'
import { writingBound } from './call-bounds'
import { type ParsedProposal, parseProposal, proposalPrompt } from './ontology-reply'
import { clipToTokens } from './windows'
import { writerFor } from './writers'

export const sampling = {
  listed: 200, // documents, by id, of which some are read
  pages: 20, // of the list at most: one on which all are others' holds none
  documents: 32, // read, evenly spaced; a call each
  chunks: 3, // of each, from its beginning
  atOnce: 6,
  tokens: 6000, // that a model reads at most
  share: 0.5, // of its window, if that is less
} as const

export interface ProposeDeps {
  readonly corpus: Pick<CorpusObject, 'documents' | 'chunks' | 'reserve' | 'charge'>
  readonly config: Pick<CorpusConfig, 'budget' | 'prices'>
  readonly models: Models
  /** Of a key that may spend so much a day. */
  readonly key?: KeyKeeper | undefined
  /** Runs in the background; the answer does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }
const NONE_DROPPED = { types: 0, relations: 0 }

export async function proposeOntology(deps: ProposeDeps, { by = 'model' }: ProposeOntology, asker: Asker): Promise<OntologyProposal> {
  const { sample, documents } = await sampled(deps.corpus, asker)
  const common = { sample: { documents, chunks: sample.length } }
  const allowance = allowanceOf(deps)
  try {
    const isAsked = by === 'model' && writerFor(deps.models, 'extract') !== null && sample.length > 0
    const asked = isAsked ? await ask(deps.models, sample, allowance) : { degraded: [], spent: NOTHING }
    const { proposal, degraded, spent } = asked
    if (proposal) return { by: 'model', ...shown(proposal), ...common, degraded, usage: spent }
    const counted = countOntology(sample)
    return { by: 'counts', ...shown({ ontology: ontologyOf(counted), counted, dropped: NONE_DROPPED }), ...common, degraded, usage: spent }
  } finally {
    settle(deps, allowance)
  }
}

type Proposal = Omit<ParsedProposal, 'ontology'> & { readonly ontology: ParsedProposal['ontology'] | null }

function shown({ ontology, counted, dropped }: Proposal): Pick<OntologyProposal, 'ontology' | 'types' | 'relations' | 'dropped'> {
  return {
    ontology,
    types: counted.types,
    relations: counted.relations.map(({ name, count, examples }) => ({ name, count, examples })),
    dropped,
  }
}

/** Of documents that the asker may read and that are not switched off, evenly spaced among the first by id. */
async function sampled(
  corpus: ProposeDeps['corpus'],
  asker: Asker,
): Promise<{ readonly sample: readonly SampledChunk[]; readonly documents: number }> {
  const active = (await firstListed(corpus, asker)).filter(({ active }) => active)
  const step = Math.max(1, active.length / sampling.documents)
  const chosen = Array.from({ length: Math.min(active.length, sampling.documents) }, (_, i) => active[Math.floor(i * step)]?.document ?? '')
  const begin = atOnce(sampling.atOnce)
  const read = await Promise.all(
    chosen.map((id) =>
      begin(async () => {
        const page = await corpus.chunks(id, { from: 0, limit: sampling.chunks }, asker)
        return (page?.data ?? []).map(({ text, entities }): SampledChunk => ({ document: id, text, entities }))
      }),
    ),
  )
  return { sample: read.flat(), documents: read.filter((chunks) => chunks.length > 0).length }
}

async function firstListed(corpus: ProposeDeps['corpus'], asker: Asker): Promise<readonly Document[]> {
  const found: Document[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < sampling.pages; pages++) {
    const page: Page<Document> = await corpus.documents(cursor, sampling.listed - found.length, asker)
    found.push(...page.data)
    cursor = page.next_cursor
    if (cursor === null || found.length >= sampling.listed) break
  }
  return found
}

interface Asked {
  readonly proposal?: ParsedProposal
  readonly degraded: Degraded[]
  readonly spent: Spent
}

async function ask(models: Models, sample: readonly SampledChunk[], allowance: Allowance): Promise<Asked> {
  const window = writerFor(models, 'extract')?.window ?? sampling.tokens
  const each = Math.floor(Math.min(sampling.tokens, window * sampling.share) / sample.length)
  const given = sample.map((chunk) => ({ ...chunk, text: clipToTokens(chunk.text, Math.max(1, each)) }))
  const { messages, tokens, schema } = proposalPrompt(given.map(({ text }) => text))
  const call = await allowance.begin('propose', writingBound(models, messages, tokens, schema))
  if (!call) return { degraded: ['budget'], spent: NOTHING }
  try {
    const { text, spent } = await models.write(messages, { tokens, schema, role: 'extract', mayRepeat: call.mayRepeat })
    call.paid(spent)
    return { ...read(text, given), spent }
  } catch (error) {
    call.failed(error)
    return { degraded: ['text_model'], spent: NOTHING }
  }
}

/** A reply of no use was paid for all the same. */
function read(reply: string, given: readonly SampledChunk[]): Pick<Asked, 'proposal' | 'degraded'> {
  try {
    return { proposal: parseProposal(reply, given), degraded: [] }
  } catch {
    return { degraded: ['text_model'] }
  }
}
