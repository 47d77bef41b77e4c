/**
 * Labels, classification and what was learned, stored in the corpus's own graph. The rows are held in memory once read (`GoragIndex`) and
 * updated with every patch; the object may drop them at any time.
 */

import type { Page } from '../../../src/contract/pages'
import type { Patch } from '../../../src/core/graph/types'
import { pageOf } from '../../../src/core/page'
import type { Classification } from '../../../src/core/strategies/gorag/classify'
import { classify, dropLabel, type LabelView, labels, learn, putLabel, unlearn } from '../../../src/core/strategies/gorag/gorag'
import { type GoragIndex, goragIndex } from '../../../src/core/strategies/gorag/index'
import type { LearnInput } from '../../../src/core/strategies/gorag/learn'
import { republicationChanges } from '../../../src/core/strategies/gorag/publish'
import type { GoragSettings } from '../../../src/core/strategies/gorag/settings'
import type { LabelContent } from '../../../src/ports/labels'
import { fillOutbox } from '../outbox/outbox'
import { keepReceipt, touchedBy } from '../outbox/receipts'
import type { CorpusContext } from '../store'

export interface Labels {
  put(label: LabelContent): LabelView
  list(cursor: string | null, limit: number): Page<LabelView>
  drop(id: string): boolean
  classify(input: { readonly text: string; readonly vector?: Int8Array }): Classification
  learn(input: Omit<LearnInput, 'at'>): string | null
  unlearn(which: { readonly id: string } | { readonly since: number }): boolean
}

/** Keywords and edges as new settings define them, in the caller's transaction; `context` still has the old ones. */
export function republishLabels(context: CorpusContext, settings: GoragSettings): void {
  const patch = republicationChanges(context.graph, context.config.settings.gorag, settings)
  if (patch.length === 0) return
  const version = context.graph.version + 1
  context.graph.apply(patch, version)
  fillOutbox(context, patch, version)
}

/** `context` is requested at each call: a corpus can be configured again. */
export function labelsOf(context: () => CorpusContext): Labels {
  let held: GoragIndex | undefined
  let of = '' // the model whose vectors it has
  const settings = () => context().config.settings.gorag
  const index = (): GoragIndex => {
    const { embedding = '', dimensions } = context().config.settings
    if (!held || held.phrase !== settings().phrase || of !== `${embedding} ${dimensions}`) held = goragIndex(context().graph, settings())
    of = `${embedding} ${dimensions}`
    return held
  }
  /** True if something changed. */
  const apply = (patch: Patch): boolean => {
    if (patch.length === 0) return false
    const after = index().with(patch)
    context().atomically(() => {
      const version = context().graph.version + 1
      context().graph.apply(patch, version)
      fillOutbox(context(), patch, version)
      keepReceipt(context(), touchedBy(patch))
    })
    held = after
    return true
  }
  const all = () => labels(context().graph, settings(), index())
  return {
    put: (label) => {
      apply(putLabel(context().graph, label, settings(), index()))
      const view = all().find((one) => one.label === label.id)
      if (!view) throw new Error('labels: a label that was just saved is missing')
      return view
    },
    list: (cursor, limit) => {
      const rest = all().filter((one) => cursor === null || one.label > cursor)
      return pageOf(rest, limit, ({ label }) => label)
    },
    drop: (id) => apply(dropLabel(context().graph, id, settings(), index())),
    classify: (input) => classify(context().graph, { ...input, now: context().now() }, settings(), index()),
    learn: (input) => {
      const result = learn(context().graph, { ...input, at: context().now() }, settings(), index())
      apply(result.patch)
      return result.learned
    },
    unlearn: (which) => apply(unlearn(context().graph, which, settings(), index())),
  }
}
