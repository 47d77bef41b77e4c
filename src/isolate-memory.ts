/**
 * What the objects of one isolate remember, all together. The platform gives an isolate 128 MB however many objects it puts there, so what each may remember
 * by itself bounds nothing. Every cache counts its bytes here; when they are too many, what was not used for longest is forgotten, whoever's it is. Objects share
 * nothing but the count.
 */
const MIB = 1024 * 1024
/** Of 128 MiB the script has 20, an object that remembers nothing a tenth of one, and what is under way or not collected yet the rest. */
const ROOM = 48 * MIB
const SPARE = 1 / 16 // of the room is made at a time, so that not every entry has the oldest looked for
const MANY = 64 // shares among which those of objects that are gone are looked for, at least

/** What can be read or made again. */
export interface Forgetful {
  /** The turn in which the thing that it has not used for longest was used; infinity: it holds nothing. */
  readonly oldest: number
  /** Forgets that thing, and counts it off. */
  forgetOldest(): void
}

/** Who remembers: an object of the platform, with all its caches. */
export interface Occupant {
  readonly memory: IsolateMemory
  readonly owner: symbol
}

export const occupantOf = (memory: IsolateMemory): Occupant => ({ memory, owner: Symbol('object') })

/** What one cache counts. */
export class Share {
  bytes = 0
  readonly #memory: IsolateMemory
  readonly #owner: symbol
  readonly #of: WeakRef<Forgetful>

  constructor({ memory, owner }: Occupant, of: Forgetful) {
    this.#memory = memory
    this.#owner = owner
    this.#of = new WeakRef(of)
  }

  /** Undefined: its object has left the isolate. */
  get of(): Forgetful | undefined {
    return this.#of.deref()
  }

  /** The turn that it is, to be noted with what is used. */
  turn(): number {
    return this.#memory.turnOf(this.#owner)
  }

  /** So many bytes more, or fewer. Anything may be forgotten before this returns, also what was just counted. */
  count(bytes: number): void {
    this.bytes += bytes
    this.#memory.counted(bytes)
  }
}

interface Loan {
  readonly bytes: number
  readonly until: number
}

export class IsolateMemory {
  readonly #room: number
  readonly #shares = new Set<Share>()
  readonly #loans = new Set<Loan>()
  readonly #now: () => number
  #bytes = 0
  #lent = 0
  #turn = 0
  #owner: symbol | undefined
  #looksAt = MANY

  constructor(room = ROOM, now = Date.now) {
    this.#room = room
    this.#now = now
  }

  /** Of all that is remembered, by objects that are gone too until that is noticed. */
  get bytes(): number {
    return this.#bytes
  }

  /** Held weakly: an object that leaves the isolate tells nobody. */
  share(occupant: Occupant, of: Forgetful): Share {
    if (this.#shares.size >= this.#looksAt) this.#looksAt = Math.max(MANY, 2 * this.#standing().length)
    const share = new Share(occupant, of)
    this.#shares.add(share)
    return share
  }

  /** One thread serves all objects: a turn is what one of them does until another does something. */
  turnOf(owner: symbol): number {
    if (this.#owner !== owner) {
      this.#owner = owner
      this.#turn++
    }
    return this.#turn
  }

  counted(bytes: number): void {
    this.#bytes += bytes
    if (bytes > 0) this.#keepWithin()
  }

  /**
   * For work that needs memory itself, until the function that is returned is called, or so many milliseconds have passed: so much less is remembered.
   * Refuses nobody.
   */
  lend(bytes: number, ms: number): () => void {
    const loan = { bytes, until: this.#now() + ms }
    this.#loans.add(loan)
    this.#lent += bytes
    this.#keepWithin()
    return () => this.#takeBack(loan)
  }

  /** The same, for work without a pause. */
  lendTo<T>(bytes: number, work: () => T): T {
    const end = this.lend(bytes, Number.POSITIVE_INFINITY)
    try {
      return work()
    } finally {
      end()
    }
  }

  #takeBack(loan: Loan): void {
    if (this.#loans.delete(loan)) this.#lent -= loan.bytes
  }

  #keepWithin(): void {
    if (this.#bytes + this.#lent <= this.#room) return
    for (const loan of this.#loans) if (loan.until <= this.#now()) this.#takeBack(loan)
    if (this.#bytes + this.#lent <= this.#room) return
    const enough = Math.max(0, this.#room * (1 - SPARE) - this.#lent)
    const waiting = this.#standing().sort((a, b) => a.oldest - b.oldest)
    while (this.#bytes > enough) {
      const next = waiting.shift()
      if (!next) return
      const until = waiting[0]?.oldest ?? next.oldest
      do next.forgetOldest()
      while (this.#bytes > enough && next.oldest <= until)
      if (next.oldest !== Number.POSITIVE_INFINITY) insert(waiting, next)
    }
  }

  /** Those that hold something. What objects that are gone have counted is taken off. */
  #standing(): Forgetful[] {
    const standing: Forgetful[] = []
    for (const share of this.#shares) {
      const { of } = share
      if (of && share.bytes > 0) standing.push(of)
      if (of) continue
      this.#shares.delete(share)
      this.#bytes -= share.bytes
    }
    return standing
  }
}

/** Before the first that has used everything since. */
function insert(waiting: Forgetful[], one: Forgetful): void {
  const place = waiting.findIndex(({ oldest }) => oldest > one.oldest)
  waiting.splice(place < 0 ? waiting.length : place, 0, one)
}

/** Of this isolate. */
export const isolateMemory = new IsolateMemory()
