/**
 * Labels, classification and what was learned, kept in the corpus's own graph. The rows are held in memory once read (`GoragIndex`)
 * and moved on with every patch; the object may forget them at any time.
 */
import type { Patch } from '../../../src/core/graph/types'
import type { Classification } from '../../../src/core/strategies/gorag/classify'
import { classify, dropLabel, type LabelView, labels, learn, putLabel, unlearn } from '../../../src/core/strategies/gorag/gorag'
import { type GoragIndex, goragIndex } from '../../../src/core/strategies/gorag/index'
import type { LearnInput } from '../../../src/core/strategies/gorag/learn'
import { republished } from '../../../src/core/strategies/gorag/publish'
import type { GoragSettings } from '../../../src/core/strategies/gorag/settings'
import type { LabelContent, Page } from '../../../src/ports'
import type { Ledger } from '../store'
import { fillOutbox } from '../told/outbox'
import { keepReceipt, touchedBy } from '../told/receipts'

export interface Labels {
  put(label: LabelContent): LabelView
  list(cursor: string | null, limit: number): Page<LabelView>
  drop(id: string): boolean
  classify(input: { readonly text: string; readonly vector?: Int8Array }): Classification
  learn(input: Omit<LearnInput, 'at'>): string | null
  unlearn(which: { readonly id: string } | { readonly since: number }): boolean
}

/** Keywords and edges as new settings show them, in the caller's transaction; `ledger` still has the old ones. */
export function relabel(ledger: Ledger, settings: GoragSettings): void {
  const patch = republished(ledger.graph, ledger.config.settings.gorag, settings)
  if (patch.length === 0) return
  const version = ledger.graph.version + 1
  ledger.graph.apply(patch, version)
  fillOutbox(ledger, patch, version)
}

/** `ledger` is asked for at each call: a corpus can be configured again. */
export function labelsOf(ledger: () => Ledger): Labels {
  let held: GoragIndex | undefined
  const settings = () => ledger().config.settings.gorag
  const index = (): GoragIndex => {
    if (!held || held.phrase !== settings().phrase) held = goragIndex(ledger().graph, settings())
    return held
  }
  /** True where something changed. */
  const apply = (patch: Patch): boolean => {
    if (patch.length === 0) return false
    const after = index().with(patch)
    ledger().atomically(() => {
      const version = ledger().graph.version + 1
      ledger().graph.apply(patch, version)
      fillOutbox(ledger(), patch, version)
      keepReceipt(ledger(), touchedBy(patch))
    })
    held = after
    return true
  }
  const all = () => labels(ledger().graph, settings(), index())
  return {
    put: (label) => {
      apply(putLabel(ledger().graph, label, settings(), index()))
      const view = all().find((one) => one.label === label.id)
      if (!view) throw new Error('labels: a label just put is not there')
      return view
    },
    list: (cursor, limit) => {
      const rest = all().filter((one) => cursor === null || one.label > cursor)
      const data = rest.slice(0, limit)
      return { data, next_cursor: rest.length > limit ? (data.at(-1)?.label ?? null) : null }
    },
    drop: (id) => apply(dropLabel(ledger().graph, id, settings(), index())),
    classify: (input) => classify(ledger().graph, { ...input, now: ledger().now() }, settings(), index()),
    learn: (input) => {
      const result = learn(ledger().graph, { ...input, at: ledger().now() }, settings(), index())
      apply(result.patch)
      return result.learned
    },
    unlearn: (which) => apply(unlearn(ledger().graph, which, settings(), index())),
  }
}
