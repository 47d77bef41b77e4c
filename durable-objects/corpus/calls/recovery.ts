import type { CorpusObject } from '../../../src/ports/object'
import { advanceRecovery, isComingBack, type RecoveryParts } from '../backup/recovery'
import { recoveryEstimate } from '../backup/recovery-estimate'
import { isReplaying } from '../backup/replay'
import { type CorpusHost, DELETED } from '../host'
import { contextOf } from '../store'

/**
 * Also part of the alarm's work: an object woken by its alarm may have been restored to a moment, and must not do what it was about to do
 * at that time.
 */
interface Watched {
  work(until: number): Promise<void>
}

export function recoveryCalls(host: CorpusHost): Pick<CorpusObject, 'recoveryEstimate' | 'recover'> & Watched {
  let stepping: Promise<unknown> = Promise.resolve() // one after another
  let hasLooked = false // since the object woke
  const life = { hasAsked: false }
  const look = (): void => {
    const context = contextOf(host.store)
    host.context = context
    host.isRestoring = context !== undefined && isComingBack(context)
    host.isReplaying = context !== undefined && isReplaying(context)
  }
  const partsOf = (): RecoveryParts => {
    if (!host.context || host.isClosed) throw new Error(DELETED)
    return { context: host.context, recoveries: host.sinks.recoveries, pointInTime: host.pointInTime, life, look }
  }
  const recover = async () => {
    const step = stepping.catch(() => undefined).then(() => advanceRecovery(partsOf()))
    stepping = step
    const state = await step
    hasLooked = true
    await host.changed()
    return state
  }
  return {
    recoveryEstimate: (time) => recoveryEstimate(host.ready(), host.pointInTime, time),
    recover,
    async work(until) {
      if (!hasLooked && host.context && !host.isClosed) {
        const asked = await host.sinks.recoveries.state(host.context.config.uid)
        if (asked && asked.step !== 'done') await recover()
        hasLooked = true
      }
      await host.work(until)
    },
  }
}
