/**
 * Questions before everything that can wait, among those who share a thread: the requests, objects and workflows of one isolate; locally
 * the objects have one, all else another. What can wait is done in slices, and asks here before each. A slice is bounded by what it handles, in texts, chunks or rows,
 * never by the clock, which stands still on the platform while code runs. Nobody is told of another's end, since what belongs to one request
 * cannot wake another: who waits looks again.
 */

const TURN = 1 // ms between two looks
const QUIET = 8 // looks in a row without a question or another's slice: one that has come passes several workers until it is known here
const QUESTIONS = 5 // answered since the last slice: then another is done beside the next, so that indexing goes on however many there are. With two, nearly half of all questions met one, and p95 was three times that of an idle thread
const MAX_LOOKS = 500 // whatever is under way: half a second, and more where the thread is at work
const MAX_QUESTION = 2000 // ms for which a question goes before others: what takes longer waits for a model, or its request was cut off
const LATELY = 10_000 // ms after a question in which the next one is expected

/** What a test replaces. */
export interface PrecedenceClock {
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
}

const REAL: PrecedenceClock = {
  now: () => Date.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

export class QuestionPrecedence {
  readonly #clock: PrecedenceClock
  readonly #underWay = new Map<symbol, number>()
  #last = Number.NEGATIVE_INFINITY
  /** Slices begun so far, and questions answered since the last of them. */
  #slices = 0
  #answered = 0

  constructor(clock = REAL) {
    this.#clock = clock
  }

  /** A question has come; to be called back once it has its answer. */
  begin(): () => void {
    const key = Symbol('question')
    this.#last = this.#clock.now()
    this.#underWay.set(key, this.#last)
    return () => {
      this.#underWay.delete(key)
      this.#last = this.#clock.now()
      this.#answered++
    }
  }

  /** Have questions come lately? */
  get isExpected(): boolean {
    return this.#isUnderWay() || this.#clock.now() - this.#last < LATELY
  }

  /** Before a slice of what can wait. Others have a turn in any case. */
  async giveWay(): Promise<void> {
    let begun = this.#slices
    for (let looks = 0, quiet = 0; looks < MAX_LOOKS; looks++) {
      const isExpected = this.isExpected
      await this.#clock.pause(isExpected ? TURN : 0)
      if (!isExpected && !this.isExpected) break
      const isAlone = begun === this.#slices
      begun = this.#slices
      quiet = isAlone && !this.#isUnderWay() ? quiet + 1 : 0
      if (quiet >= QUIET || (isAlone && this.#answered >= QUESTIONS)) break
    }
    this.#slices++
    this.#answered = 0
  }

  #isUnderWay(): boolean {
    const now = this.#clock.now()
    for (const [key, since] of this.#underWay) if (now - since >= MAX_QUESTION) this.#underWay.delete(key)
    return this.#underWay.size > 0
  }
}

/** Of this isolate. */
export const questionsFirst = new QuestionPrecedence()
