/**
 * Proposes an ontology for a corpus from a sample of what the asker may read there: by counting, without a model, or by one call of the
 * text model that extracts. It writes nothing. If the model is down, over budget or unusable, the counted proposal is returned.
 */
import type { OntologyProposal, ProposeOntology } from '../contract/ontology-proposal'
import type { Degraded } from '../contract/questions'
import type { Spent } from '../contract/usage'
import type { Asker } from '../core/access/labels'
import { countOntology, ontologyOf, type SampledChunk } from '../core/ontology-counts'
import type { CorpusConfig } from '../ports/corpus'
import type { Models } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import { type Allowance, allowanceOf, type KeyKeeper, settle } from './allowance'
import { writingBound } from './call-bounds'
import { sampled } from './corpus-sample'
import { type ParsedProposal, parseProposal, proposalPrompt } from './ontology-reply'
import { clipToTokens } from './windows'
import { writerFor } from './writers'

const limits = {
  tokens: 6000, // that a model reads at most
  share: 0.5, // of its window, if that is less
} as const

export interface ProposeDeps {
  readonly corpus: Pick<CorpusObject, 'documents' | 'chunks' | 'reserve' | 'charge'>
  readonly config: Pick<CorpusConfig, 'budget' | 'prices'>
  readonly models: Models
  /** For a key with a daily limit. */
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

interface Asked {
  readonly proposal?: ParsedProposal
  readonly degraded: Degraded[]
  readonly spent: Spent
}

async function ask(models: Models, sample: readonly SampledChunk[], allowance: Allowance): Promise<Asked> {
  const window = writerFor(models, 'extract')?.window ?? limits.tokens
  const each = Math.floor(Math.min(limits.tokens, window * limits.share) / sample.length)
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

/** An unusable reply was paid for anyway. */
function read(reply: string, given: readonly SampledChunk[]): Pick<Asked, 'proposal' | 'degraded'> {
  try {
    return { proposal: parseProposal(reply, given), degraded: [] }
  } catch {
    return { degraded: ['text_model'] }
  }
}
