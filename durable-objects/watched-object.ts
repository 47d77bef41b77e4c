/** The part of a corpus's object that is called by who watches over it: RPC alone, as in corpus.ts. */
import type { ConversationObject } from '../src/ports/conversations'
import type { CorpusObject } from '../src/ports/object'
import type { SeeingObject } from '../src/ports/seeing'
import { ConversingObject } from './conversing-object'

type Recovering = Pick<CorpusObject, 'recoveryEstimate' | 'recover'>
type Args<Name extends keyof (SeeingObject & Recovering)> = Parameters<(SeeingObject & Recovering)[Name]>

export abstract class WatchedObject extends ConversingObject implements SeeingObject, Recovering {
  protected abstract override readonly watched: SeeingObject & ConversationObject & Recovering

  recoveryEstimate(...args: Args<'recoveryEstimate'>) {
    return this.watched.recoveryEstimate(...args)
  }
  recover(...args: Args<'recover'>) {
    return this.watched.recover(...args)
  }
  figures(...args: Args<'figures'>) {
    return this.watched.figures(...args)
  }
  costs(...args: Args<'costs'>) {
    return this.watched.costs(...args)
  }
  noteQuestion(...args: Args<'noteQuestion'>) {
    return this.watched.noteQuestion(...args)
  }
  questions(...args: Args<'questions'>) {
    return this.watched.questions(...args)
  }
  poorQuestions(...args: Args<'poorQuestions'>) {
    return this.watched.poorQuestions(...args)
  }
  rateQuestion(...args: Args<'rateQuestion'>) {
    return this.watched.rateQuestion(...args)
  }
  forgetQuestion(...args: Args<'forgetQuestion'>) {
    return this.watched.forgetQuestion(...args)
  }
  alerts(...args: Args<'alerts'>) {
    return this.watched.alerts(...args)
  }
  putAlerts(...args: Args<'putAlerts'>) {
    return this.watched.putAlerts(...args)
  }
  testAlert(...args: Args<'testAlert'>) {
    return this.watched.testAlert(...args)
  }
}
