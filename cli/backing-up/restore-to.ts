/** Restores a corpus to a moment: shows what that means, asks for confirmation, and follows it to the end. Plain: corpus, version, job. */
import { type CorpusClient, LoamError, type Recovery, type RecoveryEstimate } from '../../src/client/client'
import type { Invocation } from '../command'
import { confirm } from '../confirm'
import { connect, findCorpus } from '../connect'
import { Failure } from '../failure'
import { fields, many } from '../output'

const PAUSE = 2000 // ms between two checks; for the first twenty seconds the corpus is closing
const PATIENCE = 15 * 60_000 // ms; it continues without us

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
  const time = Number.isNaN(Date.parse(to)) ? to : new Date(to).toISOString() // the service reports an invalid time
  const estimate = await corpus.recoveryEstimate(time)
  out.note(wordsOf(estimate))
  if (
    !values.yes &&
    !(await confirm(`Restore ${corpus.name} to ${time}?`, {
      stdin,
      otherwise: 'there is no terminal to confirm at; --yes skips the question',
    }))
  )
    throw new Failure('nothing was changed')
  await corpus.restoreTo({ time, confirm: estimate.confirm })
  const done = await seenThrough(corpus)
  if (done.job) await corpus.waitForJob(done.job)
  out.result(done, {
    people: () => `${corpus.name} is back as it was at ${time}, without what was deleted since; it is now version ${done.version}`,
    plain: () => fields(corpus.name, done.version ?? '', done.job ?? ''),
  })
}

function wordsOf({ version_then: then, version, lost, kept }: RecoveryEstimate): string {
  const actions = Object.entries(lost.actions).map(([action, n]) => `${action} ${n}`)
  return [
    `it was version ${then}, and is now version ${version}: ${many(lost.commits, 'version')} would be undone`,
    `${many(lost.documents, 'document')} were added or changed since, and would be removed or go back to what they were`,
    `${many(kept.deleted, 'deletion')} and ${many(kept.access, 'change')} of access since then stay in effect`,
    ...(actions.length > 0 ? [`done since: ${actions.join(', ')}`] : []),
  ].join('\n')
}

/** When the storage is restored the object restarts, and a check may coincide with that. */
async function seenThrough(corpus: CorpusClient): Promise<Recovery> {
  for (const until = Date.now() + PATIENCE; Date.now() < until; ) {
    try {
      const state = await corpus.recovery()
      if (state.status === 'restored') return state
      if (state.status === 'refused')
        throw new Failure(`the platform could not restore the storage: the corpus is open again as it was, at version ${state.version}`)
    } catch (error) {
      if (!(error instanceof LoamError) || (error.status !== undefined && error.status < 500)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  throw new Failure('it is not done yet and continues by itself: GET …/restore-to shows its progress')
}
