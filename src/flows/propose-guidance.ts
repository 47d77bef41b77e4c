/**
 * Proposes what a corpus's owner may tell the model that reads its texts: instructions, and examples worked out on its own passages. It
 * follows the automatic prompt tuning of Microsoft's GraphRAG, with one addition: an example is requested by the very prompt of extraction,
 * checked against its passage by the very parser of replies, and left out if too little of it is kept. Nothing is written. If the model is
 * down or over budget, what has been proposed so far is returned.
 */
import type { GuidanceProposal, ProposeGuidance } from '../contract/guidance-proposal'
import type { Degraded } from '../contract/questions'
import type { Spent } from '../contract/usage'
import type { Asker } from '../core/access/labels'
import { atOnce } from '../core/at-once'
import { exampleLimits } from '../core/guidance'
import { surelyIn } from '../core/language/detect'
import type { CorpusConfig } from '../ports/corpus'
import { type Allowance, allowanceOf, settle } from './allowance'
import { writingBound } from './call-bounds'
import { sampled } from './corpus-sample'
import { type Draft, draftExample, fitting } from './draft-examples'
import { type Instructions, instructionsPrompt, parseInstructions } from './guidance-reply'
import { excerpts, type Passage, richest } from './passages-sample'
import type { TaskPrompt } from './prompts'
import type { ProposeDeps } from './propose-ontology'
import { clipToTokens } from './windows'
import type { Kinds } from './worked-examples'
import { both, NOTHING } from './write-task'
import { formFor, writerFor } from './writers'

const limits = {
  tokens: 6000, // of passages that a model reads at most
  share: 0.5, // of its window, if that is less
  spare: 1, // more passages than examples wanted: for some, nothing can be kept
  atOnce: 4, // calls
} as const

export interface GuidanceDeps extends ProposeDeps {
  readonly config: Pick<CorpusConfig, 'budget' | 'prices' | 'settings' | 'defaultAccess'>
}

/** Writes nothing, and asks under one allowance. */
interface Asking {
  readonly deps: GuidanceDeps
  readonly allowance: Allowance
  spent: Spent
  readonly degraded: Set<Degraded>
}

/** Undefined: there is no model to write it. */
export async function proposeGuidance(
  deps: GuidanceDeps,
  { examples: wanted = exampleLimits.examples }: ProposeGuidance,
  asker: Asker,
): Promise<GuidanceProposal | undefined> {
  if (writerFor(deps.models, 'extract') === null) return undefined
  const { sample, open } = await sampled(deps.corpus, asker)
  const passages = excerpts(sample)
  const asking: Asking = { deps, allowance: allowanceOf(deps), spent: NOTHING, degraded: new Set() }
  try {
    const said = passages.length > 0 ? await instructions(asking, passages) : undefined
    const isShared = (deps.config.defaultAccess ?? []).length === 0
    const shared = passages.filter(({ document }) => isShared && open.has(document))
    const drafts = await drafted(asking, richest(shared, wanted === 0 ? 0 : wanted + limits.spare), said)
    const standing = drafts.flatMap(({ example }) => example ?? [])
    const count = (pick: (draft: Draft) => number): number => drafts.reduce((sum, one) => sum + pick(one), 0)
    return {
      domain: said?.domain ?? null,
      guidance: said?.guidance ?? null,
      examples: fitting(standing.slice(0, wanted)),
      languages: languagesOf(passages),
      sample: { documents: new Set(passages.map(({ document }) => document)).size, passages: passages.length },
      dropped: {
        instructions: said?.dropped ?? 0,
        examples: count(({ example, isRead }) => (isRead && !example ? 1 : 0)),
        entities: count(({ dropped }) => dropped.entities),
        relations: count(({ dropped }) => dropped.relations),
      },
      degraded: [...asking.degraded],
      usage: asking.spent,
    }
  } finally {
    settle(deps, asking.allowance)
  }
}

async function instructions(asking: Asking, passages: readonly Passage[]): Promise<Instructions | undefined> {
  const { models } = asking.deps
  const window = writerFor(models, 'extract')?.window ?? limits.tokens
  const each = Math.floor(Math.min(limits.tokens, window * limits.share) / passages.length)
  const texts = passages.map(({ text }) => clipToTokens(text, Math.max(1, each)))
  return asked(asking, instructionsPrompt(texts), (reply) => parseInstructions(reply, texts))
}

async function drafted(asking: Asking, passages: readonly Passage[], said: Instructions | undefined): Promise<readonly Draft[]> {
  const { models, config } = asking.deps
  const { types = [], ontology, guidance, language } = config.settings.extraction
  const kinds: Kinds = { ...(types.length > 0 ? { types } : {}), ...(ontology ? { ontology } : {}) }
  const words = said?.guidance ?? guidance
  const given = { ...(words ? { guidance: words } : {}), ...(language ? { language } : {}) }
  const writer = writerFor(models, 'extract')
  const begin = atOnce(limits.atOnce)
  const drafts = passages.map((passage) =>
    begin(() => draftExample(passage, kinds, given, writer ? formFor(writer) : 'full', (prompt, parse) => asked(asking, prompt, parse))),
  )
  return Promise.all(drafts)
}

/** One call. Undefined: it is not covered, or the reply is unusable; it was paid for anyway. */
async function asked<T>(asking: Asking, { messages, tokens, schema }: TaskPrompt, parse: (reply: string) => T): Promise<T | undefined> {
  const { models } = asking.deps
  const call = await asking.allowance.begin('propose', writingBound(models, messages, tokens, schema))
  if (!call) {
    asking.degraded.add('budget')
    return undefined
  }
  let reply: string
  try {
    const { text, spent } = await models.write(messages, { tokens, schema, role: 'extract', mayRepeat: call.mayRepeat })
    call.paid(spent)
    asking.spent = both(asking.spent, spent)
    reply = text
  } catch (error) {
    call.failed(error)
    asking.degraded.add('text_model')
    return undefined
  }
  try {
    return parse(reply)
  } catch {
    asking.degraded.add('text_model')
    return undefined
  }
}

/** As far as it is certain. */
function languagesOf(passages: readonly Passage[]): GuidanceProposal['languages'] {
  const counts = new Map<string, number>()
  for (const { text } of passages) {
    const language = surelyIn(text)
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  return [...counts].map(([language, count]) => ({ language, passages: count })).sort((a, b) => b.passages - a.passages)
}
