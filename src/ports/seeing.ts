/** What the object of a corpus reports to those who watch over it: figures, costs, the log of questions. Declared here, implemented by the object. */
import type { AlertRules, Condition } from '../contract/alerts'
import type { Actor } from './audit'

/** Everything read here costs a bounded number of rows, whatever the size of the corpus. */
export interface Figures {
  readonly version: number
  readonly documents: number
  readonly chunks: number
  /** Jobs by state, of the newest 1,000. */
  readonly jobs: { readonly [state: string]: number }
  /** Age of the oldest unfinished job; 0: there is none. */
  readonly oldestJobMs: number
  /** Open tasks, counted up to 10,000. */
  readonly tasks: number
  readonly outboxRows: number
  readonly versionsBehind: number
  /** For how long the index has not shown what it was sent; 0: it is up to date. */
  readonly indexLagMs: number
  /** Documents, counted up to 1,000. */
  readonly quarantined: number
  readonly storageBytes: number
  readonly budget: { readonly tokens?: number; readonly usd?: number }
  /** Null: no such ceiling. */
  readonly left: { readonly tokens: number | null; readonly usd: number | null }
  readonly stages: { readonly [stage: string]: StageFigures }
  /** Lookups among kept answers, and the tokens that the hits saved. */
  readonly keptAnswers: { readonly hits: number; readonly misses: number; readonly saved: Pick<StageFigures, 'in' | 'out' | 'embedded'> }
  /** Alerts currently raised. */
  readonly alerts: number
}

export interface StageFigures {
  readonly calls: number
  readonly in: number
  readonly out: number
  readonly embedded: number
  readonly neurons: number
}

/** What a day, a key and a stage have cost. */
export interface DayCost {
  /** `2026-11-22`, in UTC. */
  readonly day: string
  /** Empty: no key asked for it. */
  readonly key: string
  readonly stage: string
  readonly calls: number
  readonly in: number
  readonly out: number
  readonly embedded: number
  readonly usd: number
}

export interface DayRange {
  /** Days since the epoch, both inclusive. */
  readonly from: number
  readonly until: number
  /** Null: of all. */
  readonly key: string | null
}

/** A question as stored. Texts are null if they are not kept, or were forgotten with a document. */
export interface LoggedQuestion {
  readonly n: number
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly key: string
  readonly door: string
  readonly kind: 'search' | 'query'
  readonly outcome: 'answered' | 'refused' | 'nothing'
  readonly question: string | null
  readonly answer: string | null
  readonly confidence: number | null
  readonly version: number
  readonly ms: number
  /** From the evidence. */
  readonly documents: readonly string[]
  readonly degraded: readonly string[]
  readonly rating: number | null
  readonly comment: string | null
  /** Markers of citations that were rated wrong. */
  readonly wrong: readonly number[] | null
}

export interface NewLogged extends Omit<LoggedQuestion, 'n' | 'at' | 'key' | 'door' | 'rating' | 'comment' | 'wrong'> {
  /** The answer may also draw on summaries and communities, from any document. */
  readonly isBroad: boolean
}

export interface Feedback {
  readonly rating: 1 | -1
  readonly comment: string | null
  readonly wrong: readonly number[] | null
}

export interface LogFilter {
  readonly before: number | null
  readonly limit: number
  readonly outcome: LoggedQuestion['outcome'] | null
  readonly rating: 1 | -1 | null
}

export interface RaisedAlert {
  readonly condition: Condition
  /** Milliseconds since the epoch. */
  readonly since: number
}

export interface AlertState {
  readonly rules: AlertRules
  readonly raised: readonly RaisedAlert[]
}

/** The part of the corpus object that this is about. `by`: as in CorpusObject. */
export interface SeeingObject {
  /** Null: there is no such corpus, or it answers nothing now. */
  figures(): Promise<Figures | null>
  /** What days, keys and stages have cost, at most 20,000 rows. */
  costs(range: DayRange): Promise<readonly DayCost[]>
  /** Records a question in the log, if the corpus keeps one. */
  noteQuestion(entry: NewLogged, by: Actor): Promise<void>
  /** Newest first. */
  questions(filter: LogFilter): Promise<readonly LoggedQuestion[]>
  /** Those among so many of the newest that found nothing, were refused or were rated badly. */
  poorQuestions(since: number, limit: number): Promise<readonly LoggedQuestion[]>
  /** `key`: the key that asked; null: any. False: there is no such entry. */
  rateQuestion(id: string, feedback: Feedback, key: string | null): Promise<boolean>
  /** Null: all of it. False: there is no such entry. */
  forgetQuestion(id: string | null, by?: Actor): Promise<boolean>
  alerts(): Promise<AlertState>
  /** In force when it returns: conditions that already hold are reported. */
  putAlerts(rules: AlertRules, by?: Actor): Promise<AlertState>
  /** How many endpoints are being sent a test. */
  testAlert(by?: Actor): Promise<number>
}
