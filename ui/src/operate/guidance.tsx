/** What a corpus's owner tells the model that reads its texts, with examples, and the language of descriptions. */
import { useState } from 'preact/hooks'
import type { Corpus, GuidanceProposal } from '../../../src/client/client'
import { knownLanguages } from '../shared/languages'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { type Example, exampleLines, examplesFrom } from './example-lines'
import { ProposedGuidance } from './guidance-proposed'

const MOST = 1000 // characters; the service refuses more

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

interface Written {
  readonly guidance: string
  readonly examples: string
  readonly language: string
}

export function GuidanceCard({ corpus, change }: Props) {
  const known = knownOf(corpus)
  const [written, write] = useState<Written>({ ...known, examples: exampleLines(known.examples) })
  const [before, keep] = useState(written)
  const [proposal, hold] = useState<GuidanceProposal>()
  const [isAsking, setAsking] = useState(false)
  const [fault, fail] = useState<unknown>()
  const propose = async () => {
    setAsking(true)
    fail(undefined)
    try {
      const found = await corpusAt(corpus.corpus).proposeGuidance()
      hold(found)
      keep(written)
      write({
        ...written,
        guidance: found.guidance ?? written.guidance,
        examples: found.examples.length > 0 ? exampleLines(found.examples) : written.examples,
      })
    } catch (error) {
      fail(error)
    }
    setAsking(false)
  }
  const put = ({ guidance, examples, language }: Written) => {
    const own = examplesFrom(examples, [...(proposal?.examples ?? []), ...known.examples])
    hold(undefined)
    void change({
      settings: { extraction: { guidance: guidance.trim() || null, examples: own.length > 0 ? own : null, language: language || null } },
    })
  }
  return (
    <section class="card" aria-labelledby="guidance">
      <h2 id="guidance">Guidance for reading</h2>
      <p class="fine">
        The model that reads your texts follows these instructions and examples. After a change it reads the passages again, a few at a
        time, while half of the budget is left. Whoever may see these settings sees the examples; each goes with its document.
      </p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          put(written)
        }}
      >
        <label for="guidance-words">In your words</label>
        <textarea
          id="guidance-words"
          rows={4}
          maxLength={MOST}
          value={written.guidance}
          placeholder="Parts are named by number; treat vessel names as ships."
          onInput={(event) => write({ ...written, guidance: event.currentTarget.value })}
        />
        <label for="guidance-examples">
          Examples, a blank line between two: a passage on one line, then per line name | type | description, or name &gt; name | kind |
          description
        </label>
        <textarea
          id="guidance-examples"
          rows={6}
          value={written.examples}
          placeholder={
            'Ada Holm works for Tidewater.\nAda Holm | person | an engineer\nTidewater | company\nAda Holm > Tidewater | | works for'
          }
          onInput={(event) => write({ ...written, examples: event.currentTarget.value })}
        />
        <label for="guidance-language">Descriptions in</label>
        <select
          id="guidance-language"
          value={written.language}
          onChange={(event) => write({ ...written, language: event.currentTarget.value })}
        >
          <option value="">the language of each text</option>
          {knownLanguages().map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        <p class="row">
          <button type="submit">Save</button>
          <button type="button" disabled={isAsking} onClick={() => void propose()}>
            {isAsking ? 'Reading a sample…' : 'Propose'}
          </button>
          {(known.guidance || known.examples.length > 0) && (
            <button
              type="button"
              onClick={() => {
                const nothing = { ...written, guidance: '', examples: '' }
                write(nothing)
                put(nothing)
              }}
            >
              Remove
            </button>
          )}
        </p>
      </form>
      <Failure fault={fault} />
      {proposal && (
        <ProposedGuidance
          proposal={proposal}
          undo={() => {
            write(before)
            hold(undefined)
          }}
        />
      )}
    </section>
  )
}

function knownOf({ settings }: Corpus) {
  const { extraction = {} } = settings as {
    readonly extraction?: {
      readonly guidance?: string | null
      readonly language?: string | null
      readonly examples?: readonly Example[] | null
    }
  }
  return { guidance: extraction.guidance ?? '', language: extraction.language ?? '', examples: extraction.examples ?? [] }
}
