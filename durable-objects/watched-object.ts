/** The part of a corpus's object for monitoring, replicas, questions to a corpus of which it is a partition, and looking into documents: only RPC, as in corpus.ts. */
import type { AboveObject } from '../src/ports/above'
import type { ConversationObject } from '../src/ports/conversations'
import type { DecidingObject } from '../src/ports/deciding'
import type { CorpusObject } from '../src/ports/object'
import type { OutboundObject } from '../src/ports/outbound'
import type { MovingObject } from '../src/ports/repartition'
import type { ReplicatedObject } from '../src/ports/replication'
import type { ReportsObject } from '../src/ports/reports'
import type { SeeingObject } from '../src/ports/seeing'
import { ConversingObject } from './conversing-object'
import { callByName } from './corpus/division/as-one'

type Further = Pick<
  CorpusObject,
  | keyof DecidingObject
  | keyof AboveObject
  | keyof MovingObject
  | 'moveModel'
  | 'backupStarts'
  | 'recoveryEstimate'
  | 'recover'
  | 'readPartition'
  | 'showPartition'
  | 'documentFile'
  | 'chunks'
  | 'correctChunk'
  | 'changes'
  | 'links'
  | 'dataOf'
  | 'keptAnswer'
>
type Sourced = Pick<OutboundObject, 'plannedFor' | 'provided'>
type Watched = SeeingObject & Further & ReplicatedObject & ReportsObject & Sourced
type Args<Name extends keyof Watched> = Parameters<Watched[Name]>

export abstract class WatchedObject extends ConversingObject implements SeeingObject, Further, ReplicatedObject, ReportsObject, Sourced {
  protected abstract override readonly watched: Watched & ConversationObject
  protected abstract readonly own: object

  /** A call by those who know that its documents are in partitions (corpus/division/as-one.ts). */
  asWhole(name: string, ...args: unknown[]): unknown {
    return callByName(this.own, name, args)
  }

  takeReports(...args: Args<'takeReports'>) {
    return this.watched.takeReports(...args)
  }
  plannedFor(...args: Args<'plannedFor'>) {
    return this.watched.plannedFor(...args)
  }
  provided(...args: Args<'provided'>) {
    return this.watched.provided(...args)
  }
  above(...args: Args<'above'>) {
    return this.watched.above(...args)
  }
  aroundAbove(...args: Args<'aroundAbove'>) {
    return this.watched.aroundAbove(...args)
  }
  weigh(...args: Args<'weigh'>) {
    return this.watched.weigh(...args)
  }
  takeRulings(...args: Args<'takeRulings'>) {
    return this.watched.takeRulings(...args)
  }
  named(...args: Args<'named'>) {
    return this.watched.named(...args)
  }
  tellPartitions() {
    return this.watched.tellPartitions()
  }
  layout() {
    return this.watched.layout()
  }
  size() {
    return this.watched.size()
  }
  repartition(...args: Args<'repartition'>) {
    return this.watched.repartition(...args)
  }
  move(...args: Args<'move'>) {
    return this.watched.move(...args)
  }
  moveModel(...args: Args<'moveModel'>) {
    return this.watched.moveModel(...args)
  }
  reserveFor(...args: Args<'reserveFor'>) {
    return this.watched.reserveFor(...args)
  }
  backupStarts() {
    return this.watched.backupStarts()
  }
  recoveryEstimate(...args: Args<'recoveryEstimate'>) {
    return this.watched.recoveryEstimate(...args)
  }
  recover(...args: Args<'recover'>) {
    return this.watched.recover(...args)
  }
  readPartition(...args: Args<'readPartition'>) {
    return this.watched.readPartition(...args)
  }
  showPartition(...args: Args<'showPartition'>) {
    return this.watched.showPartition(...args)
  }
  documentFile(...args: Args<'documentFile'>) {
    return this.watched.documentFile(...args)
  }
  chunks(...args: Args<'chunks'>) {
    return this.watched.chunks(...args)
  }
  correctChunk(...args: Args<'correctChunk'>) {
    return this.watched.correctChunk(...args)
  }
  changes(...args: Args<'changes'>) {
    return this.watched.changes(...args)
  }
  follow(...args: Args<'follow'>) {
    return this.watched.follow(...args)
  }
  copy(...args: Args<'copy'>) {
    return this.watched.copy(...args)
  }
  leave(...args: Args<'leave'>) {
    return this.watched.leave(...args)
  }
  promote(...args: Args<'promote'>) {
    return this.watched.promote(...args)
  }
  links(...args: Args<'links'>) {
    return this.watched.links(...args)
  }
  dataOf(...args: Args<'dataOf'>) {
    return this.watched.dataOf(...args)
  }
  keptAnswer(...args: Args<'keptAnswer'>) {
    return this.watched.keptAnswer(...args)
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
