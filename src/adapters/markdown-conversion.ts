/**
 * Workers AI's Markdown conversion, for files without text: a model describes a picture (after another model has named what is in it), and
 * a PDF by its pictures. https://developers.cloudflare.com/workers-ai/features/markdown-conversion/. A file that cannot be converted is a
 * result (`format: 'error'`), not an error. A reply of another shape is an incomplete answer: it is requested once more. None of the
 * vendor's words are passed on.
 */
import { z } from 'zod'
import { aiLimits, conversionLimits } from '../platform-limits'
import type { CallSlots } from '../ports/call-slots'
import type { Describer, Description, Picture } from '../ports/conversion'
import { type Binding, calls, realWorld, type World } from './workers-ai-calls'
import { mapped, modelError } from './workers-ai-faults'

/** The part of `env.AI` that converts. */
export interface ConversionBinding {
  toMarkdown(file: { readonly name: string; readonly blob: Blob }, options?: unknown): Promise<unknown>
}

const ENDINGS: { readonly [media in Picture['media']]: string } = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'application/pdf': 'pdf',
}
const HALVES = 2 // calls for one complete answer
const MAX_CHARACTERS = 1024 * 1024 // in a description: a document holds no more

const result = z.union([
  z.object({ format: z.enum(['markdown', 'text']), data: z.string().max(MAX_CHARACTERS) }),
  z.object({ format: z.literal('error'), error: z.string().catch('') }),
])

export function markdownConversion(
  ai: ConversionBinding,
  { gateway }: Pick<Binding, 'gateway'> = {},
  world: World = realWorld,
  slots?: CallSlots,
): Describer {
  const { make } = calls({ gateway }, world, slots)
  const call = { model: conversionLimits.describer, kind: 'text' } as const
  return {
    async describe({ bytes, media, language }, { signal, mayRepeat } = {}) {
      const name = `document.${ENDINGS[media]}`
      const options = { ...(gateway ? { gateway: { id: gateway } } : {}), conversionOptions: optionsFor(language) }
      for (let made = 1; ; made++) {
        if (made > 1 && mayRepeat && !(await mayRepeat({ isCounted: false }))) throw modelError('invalid')
        const start = async (): Promise<unknown> => whole(await ai.toMarkdown({ name, blob: new Blob([bytes], { type: media }) }, options))
        const reply = result.safeParse(await make(call, start, { deadline: aiLimits.timeoutMs, signal, mayRepeat }))
        if (reply.success) {
          // A scan whose pictures the conversion leaves out is complete, and empty.
          const pages = reply.data.format === 'error' ? [] : pagesOf(reply.data.data, name, media)
          return pages.length > 0 ? { kind: 'described', pages, calls: made } : { kind: 'refused' }
        }
        if (made >= HALVES) throw modelError('invalid')
      }
    },
  }

  /** Temporary failures are thrown, and retried like any call; a fault in the file remains a result. */
  function whole(reply: unknown): unknown {
    const one = Array.isArray(reply) && reply.length === 1 ? reply[0] : reply
    const parsed = result.safeParse(one)
    if (!parsed.success || parsed.data.format !== 'error') return one
    const fault = mapped(new Error(parsed.data.error), world.now())
    if (!fault.message.startsWith('down')) throw fault
    return one
  }
}

function optionsFor(language: string | undefined) {
  const known = conversionLimits.languages.find((one) => language?.split('-')[0] === one) ?? 'en'
  const images = { convert: true, maxConvertedImages: conversionLimits.maxPictures, descriptionLanguage: known }
  return { image: { descriptionLanguage: known }, pdf: { metadata: false, images } }
}

const PAGE = /^#{2,4} Page (\d+)[ \t]*$/gm

/** Without the conversion's own headings (`# name`, `## Contents`, `### Page 7`). */
function pagesOf(markdown: string, name: string, media: Picture['media']): Extract<Description, { kind: 'described' }>['pages'] {
  const body = markdown.trim().startsWith(`# ${name}`) ? markdown.trim().slice(`# ${name}`.length) : markdown
  if (media !== 'application/pdf') return body.trim() === '' ? [] : [{ text: body.trim() }]
  const found = [...body.matchAll(PAGE)]
  const clean = (text: string): string => text.replace(/^## (Metadata|Contents)[ \t]*$/gm, '').trim()
  const before = clean(body.slice(0, found[0]?.index ?? body.length))
  const pages = found.map((one, i) => {
    const text = clean(body.slice(one.index + one[0].length, found[i + 1]?.index ?? body.length))
    return { page: Number(one[1]), text }
  })
  return [{ text: before }, ...pages].filter(({ text }) => text !== '')
}
