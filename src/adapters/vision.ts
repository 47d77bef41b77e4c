/**
 * A model that looks at pictures: on Workers AI (chat models with vision accept `image_url` only with a `data:` address), or on an
 * OpenAI-compatible server, which accepts the same. None of the vendor's words are passed on.
 */
import { base64 } from '../base64'
import { countTokens } from '../core/text/tokens'
import { aiLimits, visionLimits } from '../platform-limits'
import type { CallSlots } from '../ports/call-slots'
import type { Seer } from '../ports/conversion'
import { type Binding, calls, realWorld, type World } from './workers-ai-calls'
import { isCut, maxCharacters, spokenOf, usageOf } from './workers-ai-replies'
import { quiet, thinkingTokens } from './workers-ai-thinking'

const BYTES = 8 // for a character, escaped in JSON

export function vision(binding: Binding, model: string, world: World = realWorld, slots?: CallSlots): Seer {
  const { run } = calls(binding, world, slots)
  return {
    id: model,
    thinkingTokens: thinkingTokens(model),
    async look({ instruction, picture: { bytes, media }, tokens }, { signal, mayRepeat } = {}) {
      const { messages, ...options } = quiet(model, [], tokens)
      const content = [
        { type: 'text', text: instruction },
        { type: 'image_url', image_url: { url: `data:${media};base64,${base64(bytes)}` } },
      ]
      const inputs = { ...options, messages: [...messages, { role: 'user', content }], temperature: 0 }
      const room = options.max_tokens
      const limits = { deadline: aiLimits.timeoutMs, maxBytes: maxCharacters(room) * BYTES, signal, mayRepeat }
      const reply = await run({ model, kind: 'text' }, inputs, limits)
      const text = spokenOf(reply, room)
      const counted = { in: visionLimits.pictureTokens + visionLimits.promptTokens, out: countTokens(text), embedded: 0 }
      const spent = usageOf(reply) ?? counted
      return { text, spent, ...(isCut(reply, room, spent.out) ? { truncated: true } : {}) }
    },
  }
}
