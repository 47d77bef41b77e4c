/**
 * Where the evidence for a question says different things: the same sentence in two documents with another value (differing-value.ts). If the
 * documents' dates tell them apart, the newer one counts and the older is what it replaced; otherwise they are in conflict, and it is not for us to
 * choose. Pure.
 */
import { type Dates, datedSpan } from '../text/iso-date'
import { readTerms as terms } from '../text/read-terms'
import { sentences } from '../text/sentences'
import { differingValue, type Statement, statementOf } from './differing-value'
import type { EarlierStatement } from './earlier-statements'
import type { QuestionTerms } from './question-terms'

const limits = {
  statements: 120, // of the evidence that are compared with each other, those of the best evidence first
  asked: 0.5, // share of the question's weight that a statement and its title must say; others are about something else
  groups: 10, // groups that are reported
} as const

/** A piece of evidence; document and start are null if it does not come from a document. */
export interface Source {
  readonly id: string
  readonly document: string | null
  readonly start: number | null
  readonly text: string
  readonly title?: string
  readonly dates?: Dates
  readonly earlier?: readonly EarlierStatement[]
}

/** A sentence of the evidence, at its place in its document. */
export interface Said {
  /** Number of its piece of evidence, starting at 1. */
  readonly marker: number
  readonly id: string
  readonly document: string
  readonly title?: string
  readonly start: number
  readonly end: number
  readonly quote: string
  readonly dates?: Dates
}

export interface Disagreements {
  readonly superseded: readonly Superseded[]
  readonly conflicts: readonly { readonly statements: readonly Said[] }[]
}

/** The statement that counts, and what older documents, and older versions of its own document, said instead, the latest first. */
interface Superseded {
  readonly current: Said
  readonly earlier?: readonly EarlierStatement[]
  readonly replaced: readonly Said[]
}

export const NO_DISAGREEMENTS: Disagreements = { superseded: [], conflicts: [] }

interface Candidate {
  readonly said: Said
  /** Undefined: rules cannot compare it; a judge may. */
  readonly statement: Statement | undefined
  /** When it was published or came into force. */
  readonly at: number | undefined
  /** Its document was no longer in force at the time of the question. */
  readonly isOver: boolean
}

/** What a judge has said. */
export interface Verdict {
  /** Whether two statements disagree; undefined: nothing, and rules decide. */
  differ(a: Said, b: Said): boolean | undefined
  /** Statements with what an older version of their document said instead, in other words. */
  readonly reworded: readonly Reworded[]
}

export interface Reworded {
  readonly current: Said
  readonly earlier: EarlierStatement
}

/** The sentences of the evidence that say at least half of what is asked, whether or not rules can compare them. */
export function statementsIn(evidence: readonly Source[], asked: QuestionTerms): readonly Said[] {
  return candidatesIn(evidence, asked, { now: -Infinity, isJudged: true }).map(({ said }) => said)
}

/** O(statements²), but there are few statements, and almost all pairs are told apart by their words alone. */
export function disagreements(evidence: readonly Source[], asked: QuestionTerms, now = -Infinity, verdict?: Verdict): Disagreements {
  const all = candidatesIn(evidence, asked, { now, isJudged: verdict !== undefined })
  const told = betweenDocuments(all, (a, b) => differs(a, b, verdict))
  const reworded = verdict?.reworded ?? []
  const isChanged = reworded.length > 0 || evidence.some((one) => one.earlier)
  return isChanged ? withEarlier(told, { evidence, all, reworded }) : told
}

type Differs = (a: Candidate, b: Candidate) => boolean

function betweenDocuments(all: readonly Candidate[], differ: Differs): Disagreements {
  const groups = grouped(all, differ)
  if (groups.length === 0) return NO_DISAGREEMENTS
  const superseded: { current: Said; replaced: Said[] }[] = []
  const conflicts: { statements: Said[] }[] = []
  for (const group of groups.slice(0, limits.groups)) {
    const isAllOver = group.every((one) => one.isOver)
    const inForce = group.filter((one) => isAllOver || !one.isOver)
    const newest = inForce.reduce<Candidate | undefined>(
      (best, one) => ((one.at ?? -Infinity) > (best?.at ?? -Infinity) ? one : best),
      undefined,
    )
    const isOlder = (one: Candidate): boolean =>
      !inForce.includes(one) || (newest?.at !== undefined && one.at !== undefined && one.at < newest.at)
    const counts = newest ?? inForce[0]
    const older = group.filter((one) => isOlder(one) && counts && differ(one, counts))
    const standing = group.filter((one) => !isOlder(one))
    if (counts && older.length > 0) superseded.push({ current: counts.said, replaced: latestFirst(older).map((one) => one.said) })
    const contrary = standing.filter((one) => standing.some((other) => differ(one, other)))
    if (contrary.length > 1) conflicts.push({ statements: contrary.map((one) => one.said) })
  }
  return { superseded, conflicts }
}

interface Changed {
  readonly evidence: readonly Source[]
  readonly all: readonly Candidate[]
  readonly reworded: readonly Reworded[]
}

/** Adds what the statements that count said in older versions of their documents. */
function withEarlier({ superseded, conflicts }: Disagreements, { evidence, all, reworded }: Changed): Disagreements {
  const earlierOf = (said: Said): readonly EarlierStatement[] => {
    const byRule = evidence[said.marker - 1]?.earlier?.filter((one) => one.start === said.start) ?? []
    const byJudge = reworded.flatMap(({ current, earlier }) => (isSame(current, said) ? [earlier] : []))
    return [...byRule, ...byJudge].sort((a, b) => (a.replaced_at < b.replaced_at ? 1 : a.replaced_at > b.replaced_at ? -1 : 0))
  }
  const isReplaced = (said: Said): boolean => superseded.some(({ replaced }) => replaced.some((one) => isSame(one, said)))
  const known = superseded.map((one) => {
    const earlier = earlierOf(one.current)
    return earlier.length > 0 ? { ...one, earlier } : one
  })
  const statements = [...all.map(({ said }) => said), ...reworded.map(({ current }) => current)]
  const others = statements.flatMap((said): Superseded[] => {
    const earlier = earlierOf(said)
    const isTold = isReplaced(said) || superseded.some(({ current }) => isSame(current, said))
    return earlier.length > 0 && !isTold ? [{ current: said, earlier, replaced: [] }] : []
  })
  const own = others.filter(({ current }, at) => others.findIndex((one) => isSame(one.current, current)) === at)
  return { superseded: [...known, ...own].slice(0, limits.groups), conflicts }
}

const isSame = (a: Said, b: Said): boolean => a.document === b.document && a.start === b.start

const latestFirst = (list: readonly Candidate[]): Candidate[] => [...list].sort((a, b) => (b.at ?? 0) - (a.at ?? 0))

function candidatesIn(
  evidence: readonly Source[],
  asked: QuestionTerms,
  { now, isJudged }: { readonly now: number; readonly isJudged: boolean },
): Candidate[] {
  const total = [...asked.values()].reduce((sum, { weight, isKnown }) => sum + (isKnown ? weight : 0), 0)
  const found: Candidate[] = []
  for (const [place, source] of evidence.entries()) {
    const about = terms(source.title ?? '')
    const { from, published, until } = datedSpan(source.dates ?? {})
    for (const one of sentencesOf(source, place + 1)) {
      if (found.length >= limits.statements) return found
      const words = new Set([...terms(one.quote), ...about])
      const said = [...asked].reduce((sum, [term, { weight, isKnown }]) => sum + (isKnown && words.has(term) ? weight : 0), 0)
      if (said === 0 || said < limits.asked * total) continue
      const statement = statementOf(one.quote)
      if (!statement && !isJudged) continue
      found.push({
        said: one,
        statement,
        at: from ?? published,
        isOver: until !== undefined && until < now,
      })
    }
  }
  return found
}

/** Each sentence of a piece of evidence, at its place; none if it is not from a document. */
export function sentencesOf({ id, document, start, text, title, dates }: Source, marker: number): readonly Said[] {
  if (document === null || start === null) return []
  const own = { ...(title === undefined ? {} : { title }), ...(dates ? { dates } : {}) }
  return sentences(text).map((span) => {
    const place = { start: start + span.start, end: start + span.end }
    return { marker, id, document, ...place, quote: text.slice(span.start, span.end), ...own }
  })
}

/** From two documents, with another value. */
function differs(a: Candidate, b: Candidate, verdict?: Verdict): boolean {
  if (a.said.document === b.said.document) return false
  const byRule = (): boolean =>
    a.statement !== undefined && b.statement !== undefined && differingValue(a.statement, b.statement) !== undefined
  return verdict?.differ(a.said, b.said) ?? byRule()
}

/** Each statement with all that say the same but with another value. */
function grouped(all: readonly Candidate[], differ: Differs): Candidate[][] {
  const groups: Candidate[][] = []
  for (const one of all) {
    const near = groups.filter((group) => group.some((other) => differ(one, other)))
    const [first, ...others] = near
    if (!first) groups.push([one])
    else {
      first.push(one, ...others.flat())
      for (const other of others) groups.splice(groups.indexOf(other), 1)
    }
  }
  return groups.filter((group) => group.length > 1)
}
