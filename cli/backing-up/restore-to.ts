/** A corpus back to a moment: what that means is shown, somebody says yes, and it is seen through. Plain: corpus, version, job. */
import { type CorpusClient, LoamError, type Recovery, type RecoveryEstimate } from '../../src/client/client'
import type { Invocation } from '../command'
import { confirm } from '../confirm'
import { connect, findCorpus } from '../connect'
import { Failure } from '../failure'
import { fields, many } from '../output'

const PAUSE = 2000 // ms between two looks; the first twenty seconds it is closing
const PATIENCE = 15 * 60_000 // ms; it goes on without us

interface Given {
  readonly url?: string | undefined
  readonly key?: string | undefined
  readonly corpus?: string | undefined
  readonly yes?: boolean | undefined
}

export async function restoreTo(
  { values, out, env, stdin }: Pick<Invocation<Given>, 'values' | 'out' | 'env' | 'stdin'>,
  to: string,
): Promise<void> {
  const connection = connect({ values, env })
  const corpus = values.corpus === undefined ? await findCorpus(connection) : connection.loam.corpus(values.corpus)
  const time = Number.isNaN(Date.parse(to)) ? to : new Date(to).toISOString() // the service names what is no time
  const estimate = await corpus.recoveryEstimate(time)
  out.note(wordsOf(estimate))
  if (!values.yes && !(await confirm(`Restore ${corpus.name} to ${time}?`, { stdin, otherwise: 'it cannot ask here: --yes' })))
    throw new Failure('nothing was changed')
  await corpus.restoreTo({ time, confirm: estimate.confirm })
  const done = await seenThrough(corpus)
  if (done.job) await corpus.waitForJob(done.job)
  out.result(done, {
    people: () => `${corpus.name} is as it was ${time}, without what was deleted since; it is version ${done.version} now`,
    plain: () => fields(corpus.name, done.version ?? '', done.job ?? ''),
  })
}

function wordsOf({ version_then: then, version, lost, kept }: RecoveryEstimate): string {
  const actions = Object.entries(lost.actions).map(([action, n]) => `${action} ${n}`)
  return [
    `then it was version ${then}, now it is ${version}: ${many(lost.commits, 'version')} would be undone`,
    `${many(lost.documents, 'document')} came or changed since, and would go or be again what they were`,
    `${many(kept.deleted, 'deletion')} and ${many(kept.access, 'change')} of access since hold all the same`,
    ...(actions.length > 0 ? [`done since: ${actions.join(', ')}`] : []),
  ].join('\n')
}

/** Where it is set back the object restarts, and a look may meet that. */
async function seenThrough(corpus: CorpusClient): Promise<Recovery> {
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    try {
      const state = await corpus.recovery()
      if (state.status === 'restored') return state
      if (state.status === 'refused')
        throw new Failure(`the platform would not set its storage back: it is open again as it was, as version ${state.version}`)
    } catch (error) {
      if (!(error instanceof LoamError) || (error.status !== undefined && error.status < 500)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  throw new Failure('it is not done yet, and goes on by itself: GET …/restore-to says how far')
}
