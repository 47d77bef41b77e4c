/**
 * Text shown part by part, with stretches of it marked and small elements inserted between its letters, both by their offsets in the
 * source. The shown text is the source without its syntax, so each part is searched for from where the previous one ended.
 */
import type { ComponentChildren, VNode } from 'preact'

export interface Stretch {
  readonly start: number
  readonly end: number
  readonly wrap: (shown: ComponentChildren) => VNode
}

export interface Inset {
  readonly at: number
  readonly node: VNode
}

const CLOSING = 4 // letters of syntax between the end of a part and what belongs behind it: `**`, `)`, a backtick

export class Decorated {
  readonly #source: string
  readonly #stretches: readonly Stretch[]
  readonly #insets: readonly Inset[]
  #next = 0 // inset
  #at = 0 // in the source

  constructor(source: string, stretches: readonly Stretch[] = [], insets: readonly Inset[] = []) {
    this.#source = source
    this.#stretches = stretches
    this.#insets = insets.toSorted((a, b) => a.at - b.at)
  }

  /** All of it, unchanged. */
  whole(): ComponentChildren[] {
    return [...this.#until(0), ...this.#pieces(this.#source, 0, (text) => text)]
  }

  /** The letters `raw` of the source, which come next in it; line by line, since a list's indent is not shown. */
  part(raw: string, show: (text: string) => ComponentChildren = (text) => text): ComponentChildren[] {
    return raw.split(/(?<=\n)/).flatMap((line) => this.#line(line, show))
  }

  #line(line: string, show: (text: string) => ComponentChildren): ComponentChildren[] {
    const text = line.trim()
    const at = text === '' ? -1 : this.#source.indexOf(text, this.#at)
    if (at < 0) return [show(line)]
    const from = at - (line.length - line.trimStart().length)
    const before = this.#until(from <= this.#at ? this.#at : from)
    const pieces = this.#pieces(line, Math.max(0, from), show)
    this.#at = Math.max(this.#at, at + text.length)
    return [...before, ...pieces]
  }

  /** Cut where a stretch begins or ends, and where something is inserted. */
  #pieces(line: string, from: number, show: (text: string) => ComponentChildren): ComponentChildren[] {
    const end = from + line.length
    const cuts = new Set([from, end])
    for (const one of this.#stretches) for (const cut of [one.start, one.end]) if (cut > from && cut < end) cuts.add(cut)
    for (const { at } of this.#insets.slice(this.#next)) if (at > from && at < end) cuts.add(at)
    const places = [...cuts].sort((a, b) => a - b)
    return places.slice(1).flatMap((until, i) => {
      const start = places[i] ?? from
      const own = this.#stretches.filter((one) => one.start <= start && one.end >= until)
      const shown = own.reduce<ComponentChildren>((inner, one) => one.wrap(inner), show(line.slice(start - from, until - from)))
      return [shown, ...this.#until(until)]
    })
  }

  #until(at: number): VNode[] {
    const out: VNode[] = []
    for (let one = this.#insets[this.#next]; one && one.at <= at; one = this.#insets[++this.#next]) out.push(one.node)
    return out
  }

  /** What belongs after the parts shown so far; at the end of a paragraph. */
  close(): VNode[] {
    return this.#until(this.#at + CLOSING)
  }

  /** Everything left; at the end of the text. */
  rest(): VNode[] {
    return this.#until(Number.POSITIVE_INFINITY)
  }
}
