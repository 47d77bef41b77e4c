/** Questions to several corpora: evidence, a complete answer, or a streamed one. As for one corpus (../ask.ts), from the evidence of all. */
import type { SeveralEvent, SeveralQueryResult, SeveralSearchResult } from '../../contract/several'
import { questionsFirst } from '../../question-precedence'
import { answer, refusal, streamAnswer } from '../ask'
import type { AnswerDeps, AskDeps, Outcome } from '../ask-types'
import { searchResult } from '../find'
import { streamWithin, within } from '../spans'
import { settleShared, sharedAllowance } from './charge'
import { type Asking, findSeveral, type Member, type SeveralFound } from './find'
import { namedEvent, namedQuery, namedSearch, verifierOf } from './named'

export type SeveralRequest = Omit<Asking, 'allowance' | 'isCompared'>

export async function searchSeveral(asking: SeveralRequest): Promise<Outcome<SeveralSearchResult>> {
  return asked(asking, false, async (several) => namedSearch(searchResult(several.found), several))
}

export async function querySeveral(asking: SeveralRequest): Promise<Outcome<SeveralQueryResult>> {
  return asked(asking, true, async (several) => {
    const [{ deps }] = asking.members
    const written = await within(deps, 'answer', (by) => answer(depsFor(asking.members, by), asking.request, several.found))
    return namedQuery(written, several)
  })
}

export async function* streamSeveral(asking: SeveralRequest): AsyncGenerator<SeveralEvent, void, void> {
  const { allowance, settled } = begin(asking)
  try {
    const several = await findSeveral({ ...asking, allowance, isCompared: true })
    if (several.kind === 'refused') return yield refusal(several)
    settled.payers = several.payers
    const [{ deps }] = asking.members
    const stream = (by: AskDeps) => streamAnswer(depsFor(asking.members, by), asking.request, several.found)
    for await (const event of streamWithin(deps, 'answer', stream)) yield namedEvent(event, several)
  } finally {
    settled.end()
  }
}

async function asked<T>(asking: SeveralRequest, isCompared: boolean, make: (several: SeveralFound) => Promise<T>): Promise<Outcome<T>> {
  const { allowance, settled } = begin(asking)
  try {
    const several = await findSeveral({ ...asking, allowance, isCompared })
    if (several.kind === 'refused') return several
    settled.payers = several.payers
    return { kind: 'answered', result: await make(several) }
  } finally {
    settled.end()
  }
}

/** Their shared costs are charged when the question ends, however it ends. */
function begin({ members }: SeveralRequest) {
  const all = members.map(({ deps }) => deps)
  const allowance = sharedAllowance(all)
  const end = questionsFirst.begin()
  const settled = {
    payers: new Set(all) as SeveralFound['payers'],
    end() {
      end()
      settleShared(all, settled.payers, allowance)
    },
  }
  return { allowance, settled }
}

/** The models of the first write for all. */
function depsFor(members: readonly Member[], { models, judge, now }: AskDeps): AnswerDeps {
  const corpus = verifierOf(new Map(members.map((one) => [one.name, one.deps.corpus])))
  return { corpus, models, now, ...(judge ? { judge } : {}) }
}
