/** Whether a model tells truths from lies beside their sources, through the product's judge. */

import type { ClaimSupport } from '../../src/contract/questions'
import { allowanceOf } from '../../src/flows/allowance'
import type { AskDeps } from '../../src/flows/ask-types'
import { judgeSupport } from '../../src/flows/judge'
import { Meter } from '../../src/flows/meter'
import type { Models } from '../../src/ports/models'
import { config, evidence, fakeCorpus, fakeIndex } from '../../test/core/flows/fakes'
import { isTrue, type Pair, pairs } from '../../test/core/support/pairs'
import { outcomesOf, share } from './outcomes'
import { sampled, shuffled, type Writer } from './sampling'

export function claims(count: number): readonly Pair[] {
  const all = shuffled(
    pairs().filter((one) => one.language === 'en' && one.half === 'development'),
    'models',
  )
  const [truths, lies] = [all.filter((one) => isTrue(one.kind)), all.filter((one) => !isTrue(one.kind))]
  return Array.from({ length: Math.ceil(count / 2) }, (_, i) => [truths[i], lies[i]].flatMap((one) => one ?? [])).flat()
}

export async function judging(all: readonly Pair[], writer: Writer) {
  const done = await sampled(all, writer, async (models, pair) => {
    const outcome = await judged(models, pair)
    return { pair, outcome, isUsable: outcome !== undefined }
  })
  const ruled = done.results.filter(({ isUsable }) => isUsable)
  return {
    ...outcomesOf(done),
    truthsKept: share(
      ruled.filter(({ pair }) => isTrue(pair.kind)),
      ({ outcome }) => outcome === 'supported',
    ),
    liesCaught: share(
      ruled.filter(({ pair }) => !isTrue(pair.kind)),
      ({ outcome }) => outcome !== 'supported',
    ),
  }
}

/** Undefined: the model gave no verdict. */
async function judged(models: Models, { claim, cited }: Pair): Promise<ClaimSupport['outcome'] | undefined> {
  const deps: AskDeps = {
    corpus: fakeCorpus(),
    config,
    models,
    judge: models,
    index: fakeIndex(),
    now: () => performance.now(),
    later: () => undefined,
  }
  const sources = cited.map(({ text, title }, i) => evidence(`p_${i}`, title ?? 'source', text))
  const given: ClaimSupport = {
    claim,
    span: { start: 0, end: claim.length },
    outcome: 'unsupported',
    by: 'rules',
    score: 0,
    citations: sources.map((_, i) => i + 1),
    reasons: [],
  }
  const meter = new Meter(deps.now, allowanceOf(deps))
  const [ruled] = await judgeSupport(deps, { evidence: sources, meter }, [given])
  return ruled?.by === 'judge' ? ruled.outcome : undefined
}
