/** Labels, and texts classified by them: which label, why, and the tree of keywords that joins them. */

import { useState } from 'preact/hooks'
import type { Classified } from '../../../src/client/client'
import { Allowed, lacking } from '../access/rights'
import { ClassifyMany } from '../labels/classify-many'
import { SteinerTree } from '../labels/steiner-tree'
import { waysIn } from '../labels/words'
import { keyOrName } from '../session'
import { useLoad } from '../shared/load'
import { corpusAt, pathIn } from '../shared/loam'
import { Command, Empty, Failure } from '../shared/notices'
import { percent, plural } from '../shared/numbers'
import { isRemoved, removeLater } from '../shared/removal'
import { offering } from '../strategies/strategies'
import type { TabProps } from './tab-props'

export function LabelsPage({ corpus, again }: TabProps) {
  const name = corpus.corpus
  const on = corpus.strategies.includes(offering('labels'))
  const [fault, fail] = useState<unknown>()
  if (on) return <Switched name={name} />
  if (corpus.partitions > 1) {
    return (
      <Empty title="No labels in a corpus in partitions">
        <p>Labels are learned in one graph of keywords, and each partition has a graph of its own. Use a corpus without partitions.</p>
      </Empty>
    )
  }
  const enable = () =>
    corpusAt(name)
      .create({ strategies: [...corpus.strategies, offering('labels')] })
      .then(again, fail)
  return (
    <Allowed scope="admin">
      <Empty title="Labels are not switched on here">
        <p>With GORAG a corpus learns labels from a few examples each, and sorts new texts by a graph of their keywords.</p>
        <button type="button" class="primary" onClick={enable}>
          Switch it on
        </button>
        <Failure fault={fault} />
      </Empty>
    </Allowed>
  )
}

function Switched({ name }: { readonly name: string }) {
  const { value, fault, again } = useLoad((signal) => corpusAt(name, signal).labels({ limit: 200 }), [name])
  const keyOf = (label: string) => `label ${name} ${label}`
  const rows = value?.data.filter(({ label }) => !isRemoved(keyOf(label)))
  const drop = (label: string) => {
    const here = corpusAt(name)
    const send = () => here.removeLabel(label).then(again)
    removeLater({ keys: [keyOf(label)], words: `Label “${label}” deleted, with its examples`, send })
  }
  return (
    <>
      <h1 class="visually-hidden">Labels of {name}</h1>
      <Failure fault={fault} again={again} />
      <div class="columns even">
        <div>
          {rows?.length === 0 && (
            <Empty title="No labels yet">
              <p>A label is a name, a few words about it, and some example texts. Save one below, or from a terminal:</p>
              <Command
                text={`curl -X PUT ${location.origin}${pathIn(name, 'labels', 'war')} -H "authorization: Bearer ${keyOrName()}" \\
  --json '{"description": "War and defence", "examples": ["The militia marched to the frontier."]}'`}
              />
            </Empty>
          )}
          <Allowed scope="write">
            {rows && rows.length > 0 && (
              <ul class="plain card" aria-label="Labels">
                {rows.map(({ label, description, examples, learned }) => (
                  <li key={label} class="row">
                    <span class="grow">
                      <strong>{label}</strong> {description}{' '}
                      <span class="fine">
                        {plural(examples.length, 'example')}
                        {learned ? `, ${learned} learned` : ''}
                      </span>
                    </span>
                    <button type="button" class="small quiet" aria-label={`Delete ${label}`} onClick={() => drop(label)}>
                      Delete
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <NewLabel name={name} made={again} />
          </Allowed>
        </div>
        <div>
          <Classify name={name} labels={rows?.length ?? 0} learned={again} />
          {rows && rows.length > 1 && <ClassifyMany name={name} />}
        </div>
      </div>
    </>
  )
}

function NewLabel({ name, made }: { readonly name: string; readonly made: () => void }) {
  const [label, rename] = useState('')
  const [description, describe] = useState('')
  const [examples, list] = useState('')
  const [fault, fail] = useState<unknown>()
  const make = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    const lines = examples.split('\n').filter((line) => line.trim() !== '')
    try {
      await corpusAt(name).putLabel(label, { ...(description ? { description } : {}), examples: lines })
      rename('')
      describe('')
      list('')
      made()
    } catch (error) {
      fail(error)
    }
  }
  return (
    <form class="card" onSubmit={make}>
      <h2>New label</h2>
      <label for="label">Name</label>
      <input id="label" required maxLength={80} value={label} onInput={(event) => rename(event.currentTarget.value)} />
      <label for="about">What it is about</label>
      <input id="about" value={description} onInput={(event) => describe(event.currentTarget.value)} />
      <label for="examples">Examples, one per line</label>
      <textarea id="examples" rows={4} value={examples} onInput={(event) => list(event.currentTarget.value)} />
      <Failure fault={fault} />
      <button type="submit">Save label</button>
    </form>
  )
}

interface ClassifyProps {
  readonly name: string
  readonly labels: number
  readonly learned: () => void
}

function Classify({ name, labels, learned }: ClassifyProps) {
  const [text, write] = useState('')
  const [learn, want] = useState(false)
  const [result, settle] = useState<(Classified & { readonly of: string }) | null>(null)
  const [fault, fail] = useState<unknown>()
  const classify = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    try {
      settle({ ...(await corpusAt(name).classify({ text, learn })), of: text })
      if (learn) learned()
    } catch (error) {
      fail(error)
    }
  }
  const undo = async (id: string) => {
    await corpusAt(name)
      .unlearn(id)
      .then(() => {
        settle((before) => {
          if (!before) return null
          const { learned: _, ...rest } = before
          return rest
        })
        learned()
      }, fail)
  }
  return (
    <section class="card" aria-labelledby="classify">
      <h2 id="classify">Classify a text</h2>
      {labels < 2 && <p class="fine">A text is sorted into one of several labels: save at least two first, each with an example.</p>}
      <form onSubmit={classify} class="stack">
        <label for="classified" class="visually-hidden">
          Text
        </label>
        <textarea
          id="classified"
          required
          rows={5}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
          placeholder="A text to sort"
        />
        <div class="row">
          <label class="check grow">
            <input
              type="checkbox"
              disabled={lacking('write') !== ''}
              checked={learn}
              onChange={(event) => want(event.currentTarget.checked)}
            />{' '}
            Learn from it
          </label>
          <button type="submit" class="primary">
            Classify
          </button>
        </div>
      </form>
      <Failure fault={fault} />
      <div aria-live="polite">{result && <Verdict result={result} undo={undo} />}</div>
    </section>
  )
}

function Verdict({ result, undo }: { readonly result: Classified & { readonly of: string }; readonly undo: (id: string) => void }) {
  const { label, confidence, candidates, tree, learned } = result
  return (
    <>
      <p class="verdict">
        {label === null ? 'Nothing favours one label over another.' : <strong>{label}</strong>}
        {label !== null && <span class="fine"> {percent(confidence)} sure</span>}
      </p>
      {learned && (
        <p class="row">
          <span class="grow">Learned.</span>
          <button type="button" class="small" onClick={() => undo(learned.id)}>
            Undo
          </button>
        </p>
      )}
      <table class="bars">
        <caption class="visually-hidden">Candidates</caption>
        <tbody>
          {candidates.map((one) => (
            <tr key={one.label}>
              <th scope="row">{one.label}</th>
              <td>
                <span class="bar" aria-hidden="true">
                  <span style={{ width: `${100 * one.score}%` }} />
                </span>
              </td>
              <td class="number">
                {percent(one.score)} <span class="fine via">{waysIn(one.via)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {tree.nodes.length > 0 && <SteinerTree tree={tree} text={result.of} />}
    </>
  )
}
