/** Saved filters: used, created from the current filter, renamed, deleted. */
import { useState } from 'preact/hooks'
import type { SavedFilter } from '../../../../src/client/client'
import { conditionTexts } from '../../../../src/contract/condition-text'
import { lacking } from '../../access/rights'
import { languageName } from '../../shared/languages'
import { useLoad } from '../../shared/load'
import { corpusAt } from '../../shared/loam'
import { Failure } from '../../shared/notices'
import { plural } from '../../shared/numbers'
import { isRemoved, removeLater } from '../../shared/removal'
import { bodyOf, type Choices } from '../choices'

const MOST = 10 // used by one question

interface Props {
  readonly corpus: string
  readonly choices: Choices
  readonly set: (part: Partial<Choices>) => void
}

export function Saved({ corpus, choices, set }: Props) {
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).filters.list(), [corpus])
  const [failed, fail] = useState<unknown>()
  const [said, tell] = useState('')
  const [name, write] = useState('')
  const { saved } = choices
  const { metadata, language } = bodyOf(choices).filters ?? {}
  const isFiltered = metadata !== undefined || language !== undefined
  const [renamed, startRenaming] = useState<{ readonly from: string; readonly to: string } | null>(null)
  const data = (value?.data ?? []).filter((one) => !isRemoved(nameOf(corpus, one.filter)))
  const change = async (work: () => Promise<unknown>, done: string) => {
    fail(undefined)
    try {
      await work()
      tell(done)
      again()
    } catch (error) {
      fail(error)
    }
  }
  const keep = async () => {
    if (!isFiltered || name.trim() === '') return
    if (data.some((one) => one.filter === name.trim())) return fail(new Error(`There is a filter “${name.trim()}” already.`))
    await change(
      () => corpusAt(corpus).filters.put(name.trim(), { ...(metadata ? { metadata } : {}), ...(language ? { language } : {}) }),
      `“${name.trim()}” is saved.`,
    )
    write('')
  }
  const rename = async () => {
    const [from, to] = [renamed?.from ?? '', renamed?.to.trim() ?? '']
    startRenaming(null)
    if (to === '' || to === from) return
    await change(() => corpusAt(corpus).filters.rename(from, to), `“${from}” is now called “${to}”.`)
    if (saved.includes(from)) set({ saved: saved.map((one) => (one === from ? to : one)) })
  }
  const remove = (old: string) => {
    removeLater({
      keys: [nameOf(corpus, old)],
      words: `Filter “${old}” deleted`,
      send: () => corpusAt(corpus).filters.remove(old),
    })
    set({ saved: saved.filter((one) => one !== old) })
  }
  const flip = (one: string) => set({ saved: saved.includes(one) ? saved.filter((other) => other !== one) : [...saved, one] })
  return (
    <>
      {data.length > 0 && (
        <ul class="plain saved" aria-label="Saved filters">
          {data.map((one) => (
            <li key={one.filter} class="row wrap">
              <label class="check grow" title={contentOf(one)}>
                <input
                  type="checkbox"
                  checked={saved.includes(one.filter)}
                  disabled={!saved.includes(one.filter) && saved.length >= MOST}
                  onChange={() => flip(one.filter)}
                />
                <span>
                  {one.filter} <span class="fine">{contentOf(one)}</span>
                </span>
              </label>
              {lacking('write') === '' && (
                <>
                  <button
                    type="button"
                    class="small quiet"
                    aria-label={`Rename ${one.filter}`}
                    onClick={() => startRenaming({ from: one.filter, to: one.filter })}
                  >
                    Rename
                  </button>
                  <button type="button" class="small quiet" aria-label={`Delete ${one.filter}`} onClick={() => remove(one.filter)}>
                    Delete
                  </button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {renamed && (
        <div class="row given">
          <input
            aria-label={`New name of ${renamed.from}`}
            // biome-ignore lint/a11y/noAutofocus: it appears because the visitor asked for it
            autoFocus
            value={renamed.to}
            onInput={(event) => startRenaming({ ...renamed, to: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
              event.preventDefault()
              event.stopPropagation()
              if (event.key === 'Enter') void rename()
              else startRenaming(null)
            }}
          />
          <button type="button" class="small" onClick={rename}>
            Rename
          </button>
        </div>
      )}
      {isFiltered && lacking('write') === '' && (
        <div class="row given">
          <input
            aria-label="Save this filter as"
            placeholder="save this filter as"
            value={name}
            onInput={(event) => write(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.isComposing) return
              event.preventDefault()
              void keep()
            }}
          />
          <button type="button" class="small" onClick={keep}>
            Save
          </button>
        </div>
      )}
      <p role="status" class="fine">
        {said}
      </p>
      <Failure fault={failed ?? fault} />
    </>
  )
}

const nameOf = (corpus: string, filter: string): string => `filter ${corpus} ${filter}`

function contentOf({ metadata = {}, language, document }: SavedFilter): string {
  const said = Object.entries(metadata).flatMap(([key, value]) => conditionTexts(key, value))
  return [
    ...said,
    ...(language ? [language.map((one) => `in ${languageName(one)}`).join(' or ')] : []),
    ...(document ? [plural(document.length, 'document')] : []),
  ].join(', ')
}
