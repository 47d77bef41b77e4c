/**
 * A name that a person gave goes with an entity into what it is merged into, and on from there: each rule on the way keeps it, by the entity that brought it,
 * so that undoing one decision takes back only what that decision brought.
 */
import type { Draft } from '../graph/draft'
import type { GraphReader } from '../graph/reader'
import type { Json } from '../graph/types'
import { decisionLimits, decisionOf, type Given, latest, RULES, type Rule, ruleOf } from './decision-list'

/** After the rule of an entity has changed. Returns the entities whose rules follow. */
export function handNames(draft: Draft, entity: string, formerly: string | undefined): readonly string[] {
  const { to } = ruleOf(draft, entity) ?? {}
  return [
    ...(formerly !== undefined && formerly !== to ? handOn(draft, entity, formerly, undefined) : []),
    ...(to === undefined ? [] : handOn(draft, entity, to, nameOf(draft, entity))),
  ]
}

/** Puts a rule in the graph with the names handed to it; without both there is none. */
export function putRule(draft: Draft, entity: string, rule: Rule | undefined, given: Rule['given'] = {}): void {
  const names = Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1))
  const { given: _, ...rest } = rule ?? { of: [] }
  const whole: Rule = names.length > 0 ? { ...rest, given: Object.fromEntries(names) } : rest
  if (whole.of.length > 0 || names.length > 0) draft.putValue(RULES, entity, whole as unknown as Json)
  else draft.dropValue(RULES, entity)
}

function handOn(draft: Draft, from: string, to: string, name: Given | undefined): readonly string[] {
  const changed: string[] = []
  let [bearer, at, handed]: readonly [string, string | undefined, Given | undefined] = [from, to, name]
  while (at !== undefined && changed.length < decisionLimits.steps) {
    const rule = ruleOf(draft, at)
    const { [bearer]: before, ...others } = rule?.given ?? {}
    if (before?.n === handed?.n && before?.text === handed?.text) break
    putRule(draft, at, rule, handed ? { ...others, [bearer]: handed } : others)
    changed.push(at)
    bearer = at
    handed = nameOf(draft, at)
    at = rule?.to
  }
  return changed
}

function nameOf(graph: GraphReader, entity: string): Given | undefined {
  const rule = ruleOf(graph, entity)
  if (!rule || rule.hidden) return undefined
  const { text } = rule
  if (text === undefined) return latest(Object.values(rule.given ?? {}))
  return { n: rule.of.findLast((n) => decisionOf(graph, n)?.text === text) ?? 0, text }
}
