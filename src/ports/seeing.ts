/** What the object of a corpus tells of itself to who watches over it: figures, costs, the log of questions. Declared here, implemented by the object. */
import type { AlertRules, Condition } from '../contract/alerts'
import type { Actor } from './audit'

/** All that is read costs a bounded number of rows, whatever the size of the corpus. */
export interface Figures {
  readonly version: number
  readonly documents: number
  readonly chunks: number
  /** Jobs by state, of the newest 1,000. */
  readonly jobs: { readonly [state: string]: number }
  /** Age of the oldest that is not done; 0: there is none. */
  readonly oldestJobMs: number
  /** Open ones, counted up to 10,000. */
  readonly tasks: number
  readonly outboxRows: number
  readonly versionsBehind: number
  /** For how long the index has not shown what it was sent; 0: it shows all. */
  readonly indexLagMs: number
  /** Documents, counted up to 1,000. */
  readonly quarantined: number
  readonly storageBytes: number
  readonly budget: { readonly tokens?: number; readonly usd?: number }
  /** Null: no such ceiling. */
  readonly left: { readonly tokens: number | null; readonly usd: number | null }
  readonly stages: { readonly [stage: string]: StageFigures }
  /** Questions looked for among kept answers, and the tokens that those found did not cost again. */
  readonly keptAnswers: { readonly hits: number; readonly misses: number; readonly saved: Pick<StageFigures, 'in' | 'out' | 'embedded'> }
  /** Alerts that are raised now. */
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
  /** `2026-11-22`, of UTC. */
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
  /** Days since the epoch, both included. */
  readonly from: number
  readonly until: number
  /** Null: of all. */
  readonly key: string | null
}

/** A question as it is kept. Texts are null where they are not kept, or were forgotten with a document. */
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
  /** Of the evidence. */
  readonly documents: readonly string[]
  readonly degraded: readonly string[]
  readonly rating: number | null
  readonly comment: string | null
  /** Markers of citations that were called wrong. */
  readonly wrong: readonly number[] | null
}

export interface NewLogged extends Omit<LoggedQuestion, 'n' | 'at' | 'key' | 'door' | 'rating' | 'comment' | 'wrong'> {
  /** The answer may say what summaries and communities say, too, of any document. */
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
  /** What days, keys and stages have cost, 20,000 rows at most. */
  costs(range: DayRange): Promise<readonly DayCost[]>
  /** Enters a question into the log, if the corpus keeps one. */
  noteQuestion(entry: NewLogged, by: Actor): Promise<void>
  /** Newest first. */
  questions(filter: LogFilter): Promise<readonly LoggedQuestion[]>
  /** Those of so many of the newest that found nothing, were refused or rated badly. */
  poorQuestions(since: number, limit: number): Promise<readonly LoggedQuestion[]>
  /** `key`: the one that asked; null: whoever asked. False: there is no such entry. */
  rateQuestion(id: string, feedback: Feedback, key: string | null): Promise<boolean>
  /** Null: all of it. False: there is no such entry. */
  forgetQuestion(id: string | null, by?: Actor): Promise<boolean>
  alerts(): Promise<AlertState>
  /** In force when it returns: what holds already is told of. */
  putAlerts(rules: AlertRules, by?: Actor): Promise<AlertState>
  /** To how many endpoints a test is under way. */
  testAlert(by?: Actor): Promise<number>
}
