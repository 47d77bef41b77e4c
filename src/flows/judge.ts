/**
 * A model's verdict on what the sources say about each claim: one call per answer, parsed by a schema, remembered, within the budget. Whatever goes wrong,
 * the verdict without a model is kept. It may overrule in both directions: it is configured because it reads better than rules do.
 */

import { z } from 'zod'
import type { ClaimSupport } from '../contract/questions'
import type { Evidence } from '../core/evidence'
import { fingerprint } from '../core/ids'
import { outcomes } from '../core/support/check'
import type { Message, Models } from '../ports/models'
import type { AskDeps } from './ask-types'
import { writingBound } from './call-bounds'
import { fenceTexts } from './fence'
import type { Found } from './found'
import { parseJson } from './reply-json'
import { clipToTokens } from './windows'

const limits = {
  remembered: 2000, // verdicts, in an isolate
  claims: 40, // per call
  reply: 24, // tokens for a verdict
  overhead: 400, // tokens of a prompt besides sources and claims
} as const
const REPLY = z.object({ verdicts: z.array(z.object({ claim: z.int().min(1), outcome: z.enum(outcomes) })) })
const SCHEMA = z.toJSONSchema(REPLY)

const remembered = new Map<string, ClaimSupport['outcome']>()

/** The claims that cite something, with the judge's outcome. */
export async function judgeSupport(
  deps: Pick<AskDeps, 'judge'>,
  { evidence, meter }: Pick<Found, 'evidence' | 'meter'>,
  support: readonly ClaimSupport[],
): Promise<readonly ClaimSupport[]> {
  const { judge } = deps
  if (!judge?.text) return support
  const wanted = support.filter(({ citations }) => citations.length > 0).slice(0, limits.claims)
  const keys = new Map(wanted.map((one) => [one, fingerprint('judge', judge.text?.id ?? '', one.claim, ...sourcesOf(one, evidence))]))
  const open = wanted.filter((one) => !remembered.has(keys.get(one) ?? ''))
  const messages = promptOf(judge, open, evidence)
  const tokens = limits.reply * (open.length + 1)
  if (open.length > 0) {
    try {
      const reply = await meter.call('judge', writingBound(judge, messages, tokens, SCHEMA), ({ mayRepeat }) =>
        judge.write(messages, { tokens, schema: SCHEMA, mayRepeat }),
      )
      // The complete verdicts of a reply that was cut are kept: no verdict is half of another.
      if (reply?.truncated) meter.degraded.add('truncated')
      for (const { claim, outcome } of reply ? REPLY.parse(parseJson(reply.text)).verdicts : [])
        remember(keys.get(open[claim - 1] as ClaimSupport), outcome)
    } catch {
      meter.degraded.add('judge')
    }
  }
  return support.map((one) => {
    const outcome = remembered.get(keys.get(one) ?? '')
    return outcome === undefined ? one : { ...one, outcome, by: 'judge', reasons: outcome === 'supported' ? [] : one.reasons }
  })
}

function remember(key: string | undefined, outcome: ClaimSupport['outcome']): void {
  if (key === undefined) return
  const [oldest] = remembered.keys()
  if (remembered.size >= limits.remembered && oldest !== undefined) remembered.delete(oldest)
  remembered.set(key, outcome)
}

function sourcesOf({ citations }: ClaimSupport, evidence: readonly Evidence[]): string[] {
  return citations.map((marker) => evidence[marker - 1]?.text ?? '')
}

function promptOf(judge: Models, open: readonly ClaimSupport[], evidence: readonly Evidence[]): readonly Message[] {
  const markers = [...new Set(open.flatMap(({ citations }) => citations))].sort((a, b) => a - b)
  const room = Math.floor(((judge.text?.window ?? 0) * 3) / 4) - limits.overhead
  const each = Math.max(64, Math.floor(room / Math.max(1, markers.length + open.length / 4)))
  const sources = fenceTexts(markers.map((marker) => `[${marker}] ${clipToTokens(evidence[marker - 1]?.text ?? '', each)}`))
  const claims = fenceTexts(
    open.map(
      ({ claim, citations }, i) => `${i + 1}. ${clipToTokens(claim, 200)} (cites ${citations.map((marker) => `[${marker}]`).join(' ')})`,
    ),
  )
  return [
    {
      role: 'system',
      content:
        'You check claims against the numbered sources they cite, and only those. For each claim: "supported" if its sources say all of it, in whatever words or language; ' +
        '"contradicted" if they say otherwise; "unsupported" if they leave any part of it open. Use no other knowledge. ' +
        `${sources.law} Reply with JSON: {"verdicts": [{"claim": 1, "outcome": "supported"}, …]}, one for each claim.`,
    },
    { role: 'user', content: `Sources:\n${sources.block}\n\nClaims:\n${claims.block}` },
  ]
}
