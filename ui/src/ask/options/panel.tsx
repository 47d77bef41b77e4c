/** All options of a question. Loaded when it is first opened. */
import type { ComponentChildren } from 'preact'
import { filled } from '../../shared/filled'
import { LANGUAGE } from '../../shared/languages'
import { useLoad } from '../../shared/load'
import { corpusAt, loam } from '../../shared/loam'
import { type Choices, expansions, granularities } from '../choices'
import { Boosts } from './boosts'
import { Filters } from './filters'
import { Languages } from './languages'
import { Saved } from './saved'
import { Words } from './words'

interface Props {
  readonly corpus: string
  readonly choices: Choices
  readonly choose: (part: Partial<Choices>) => void
}

const LOOKED_AT = 100 // documents, for the keys their metadata have; corpora that can be asked besides
const MOST_OTHERS = 7 // corpora in one question, besides this one
const MOST_FACETS = 10

/** The last two call the text model. */
const LOOKED_UP = { none: 'the question', decompose: 'the question and its parts', hyde: 'what is like an imagined answer' } as const

export function OptionsPanel({ corpus, choices, choose: set }: Props) {
  const { value: keys = [] } = useLoad((signal) => keysOf(corpus, signal), [corpus])
  return (
    <div class="options">
      <datalist id="metadata-keys">
        {keys.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      <Part title="How much">
        <Field label="Pieces of evidence">
          <input
            type="number"
            min={1}
            max={100}
            placeholder="10"
            value={choices.top || ''}
            onInput={(event) => set({ top: whole(event) })}
          />
        </Field>
        <Field label="A piece is a">
          <select
            value={choices.granularity}
            onChange={({ currentTarget: { value } }) => set({ granularity: granularities.find((one) => one === value) ?? 'passage' })}
          >
            {granularities.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </Field>
        <Field label="Look up">
          <select
            value={choices.expand}
            onChange={({ currentTarget: { value } }) => set({ expand: expansions.find((one) => one === value) ?? 'none' })}
          >
            {expansions.map((one) => (
              <option key={one} value={one}>
                {LOOKED_UP[one]}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Most per document">
          <input
            type="number"
            min={1}
            max={100}
            placeholder="any"
            value={choices.perDocument || ''}
            onInput={(event) => set({ perDocument: whole(event) })}
          />
        </Field>
        <Share
          label="Diversity"
          about="passages that repeat others move down"
          none="usual"
          value={choices.diversity}
          set={(diversity) => set({ diversity })}
        />
      </Part>
      <Part title="When">
        <Day label="In force on" value={choices.asOf} set={(asOf) => set({ asOf })} />
        <Day label="Published since" value={choices.since} set={(since) => set({ since })} />
        <Day label="Published until" value={choices.until} set={(until) => set({ until })} />
        <Share
          label="Freshness"
          about="newer documents rank higher"
          none="off"
          value={choices.freshness}
          set={(freshness) => set({ freshness })}
        />
      </Part>
      <Part title="Only documents with">
        <Filters filters={choices.filters} set={(filters) => set({ filters })} />
        <Languages chosen={choices.languages} set={(languages) => set({ languages })} />
        <Saved corpus={corpus} choices={choices} set={set} />
      </Part>
      <Part title="Boost">
        <Boosts boosts={choices.boosts} set={(boosts) => set({ boosts })} />
      </Part>
      <Part title="Count results by">
        <label class="check">
          <input
            type="checkbox"
            checked={choices.facets.includes(LANGUAGE)}
            disabled={!choices.facets.includes(LANGUAGE) && choices.facets.length >= MOST_FACETS}
            onChange={({ currentTarget: { checked } }) =>
              set({ facets: checked ? [...choices.facets, LANGUAGE] : keysOnly(choices.facets) })
            }
          />
          <span>language</span>
        </label>
        <Words
          label="Key of the metadata"
          words={keysOnly(choices.facets)}
          most={MOST_FACETS - choices.facets.length + keysOnly(choices.facets).length}
          set={(keys) => set({ facets: [...choices.facets.filter((one) => one === LANGUAGE), ...keys] })}
        />
      </Part>
      <Others corpus={corpus} chosen={choices.corpora} pick={(corpora) => set({ corpora })} />
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}

function Field({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field is its child
    <label class="field">
      <span>{label}</span>
      {children}
    </label>
  )
}

function Day({ label, value, set }: { readonly label: string; readonly value: string; readonly set: (day: string) => void }) {
  return (
    <Field label={label}>
      <input type="date" value={value} onChange={(event) => set(event.currentTarget.value)} />
    </Field>
  )
}

interface ShareProps {
  readonly label: string
  readonly about: string
  /** The text shown for 0. */
  readonly none: string
  readonly value: number
  readonly set: (value: number) => void
}

function Share({ label, about, none, value, set }: ShareProps) {
  return (
    <label class="field" title={about}>
      <span>{label}</span>
      <span class="row">
        <input
          type="range"
          class="grow"
          min={0}
          max={1}
          step={0.1}
          value={value}
          aria-valuetext={value === 0 ? none : String(value)}
          onInput={(event) => set(Number(event.currentTarget.value))}
        />
        <output>{value === 0 ? none : value}</output>
      </span>
    </label>
  )
}

interface OthersProps {
  readonly corpus: string
  readonly chosen: readonly string[]
  readonly pick: (names: readonly string[]) => void
}

/** Nothing if this is the only corpus. */
function Others({ corpus, chosen, pick }: OthersProps) {
  const { value } = useLoad((signal) => loam({ signal }).corpora({ limit: LOOKED_AT }), [])
  const there = (value?.data ?? []).map((one) => one.corpus).filter((name) => name !== corpus)
  const names = [...new Set([...there, ...chosen])].sort()
  if (names.length === 0) return null
  const flip = (name: string) => pick(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name])
  return (
    <Part title="Also ask these corpora">
      <div class="others">
        {names.map((name) => (
          <label class="check" key={name}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              disabled={!chosen.includes(name) && chosen.length >= MOST_OTHERS}
              onChange={() => flip(name)}
            />
            <span class="name">{name}</span>
          </label>
        ))}
      </div>
      {chosen.length >= MOST_OTHERS && <p class="fine">A question can go to at most eight corpora.</p>}
    </Part>
  )
}

const keysOnly = (facets: readonly string[]): readonly string[] => facets.filter((one) => one !== LANGUAGE)

/** From its first documents: only a help for typing. */
async function keysOf(corpus: string, signal: AbortSignal): Promise<readonly string[]> {
  const { data } = await filled((from) => corpusAt(corpus, signal).page({ ...from, limit: LOOKED_AT }))
  return [...new Set(data.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
}

/** 0: nothing is chosen. */
function whole({ currentTarget: { value } }: { readonly currentTarget: HTMLInputElement }): number {
  return Math.max(0, Math.min(100, Math.trunc(Number(value)) || 0))
}
