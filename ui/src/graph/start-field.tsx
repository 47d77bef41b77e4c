/** Where the graph begins: a name in the corpus leads to its node, anything else is treated as a question. */
import { useState } from 'preact/hooks'
import type { Node } from '../../../src/client/client'
import { go, to } from '../route'
import { useLoad } from '../shared/load'
import { Busy, Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { entitiesLike } from './entity-field'
import { mentionedIn } from './mentioned'
import { nameOf } from './namesakes'
import { wellConnected } from './suggested'

const LIKELY = 60 // letters: anything longer is not a name

interface Props {
  readonly corpus: string
  readonly version: number
}

export function StartField({ corpus, version }: Props) {
  const [text, type] = useState('')
  const [several, offer] = useState<readonly Node[]>([])
  const [fault, fail] = useState<unknown>()
  const near = useLoad(async (signal) => (text.trim() ? await entitiesLike(corpus, text, signal) : []), [corpus, version, text])
  const start = async (event: Event) => {
    event.preventDefault()
    const typed = text.trim()
    if (typed === '') return
    fail(undefined)
    offer([])
    try {
      const called = typed.length > LIKELY ? [] : (await entitiesLike(corpus, typed)).filter((node) => isCalled(node, typed))
      const [only] = called
      if (called.length > 1) offer(called)
      else go(['c', corpus, 'explore'], only ? { node: only.id } : { q: typed })
    } catch (error) {
      fail(error)
    }
  }
  return (
    <form class="start" aria-label="Start from" onSubmit={start}>
      <p class="row">
        <label class="grow">
          <span class="visually-hidden">A name or a question</span>
          <input
            type="search"
            placeholder="A name or a question"
            list="start-names"
            autocomplete="off"
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Show
        </button>
      </p>
      <datalist id="start-names">
        {near.value?.map((one) => (
          <option key={one.id} value={nameOf(one)} />
        ))}
      </datalist>
      <Failure fault={fault} />
      <div role="status">
        {several.length > 0 && (
          <>
            <p class="fine">Several have that name:</p>
            <Chips corpus={corpus} nodes={several} />
          </>
        )}
      </div>
    </form>
  )
}

const isCalled = (node: Node, typed: string): boolean =>
  [nameOf(node), nameOf({ text: node.text })].some((name) => name.toLowerCase() === typed.toLowerCase())

/** Nothing is chosen yet: names to begin with. */
export function Beginnings({ corpus, version }: Props) {
  const { value, fault, again } = useLoad((signal) => wellConnected(corpus, signal), [corpus, version])
  return (
    <section class="card" aria-labelledby="beginnings">
      <h2 id="beginnings">Where to begin</h2>
      <p class="fine">
        Type a name to see what it is connected to, or a question to see what its answer would rest on. These names appear in the most
        places:
      </p>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy />}
      {value && value.length > 0 && <Chips corpus={corpus} nodes={value} />}
      {value?.length === 0 && <p class="fine">No names have been found in the documents yet.</p>}
      <p>
        Or look at <a href={to(['c', corpus, 'explore'], { view: 'communities' })}>the whole corpus as communities</a>.
      </p>
    </section>
  )
}

function Chips({ corpus, nodes }: { readonly corpus: string; readonly nodes: readonly Node[] }) {
  return (
    <ul class="plain row wrap chips">
      {nodes.map((node) => (
        <li key={node.id}>
          <a class="chip" href={to(['c', corpus, 'explore'], { node: node.id })} title={`in ${plural(mentionedIn(node), 'chunk')}`}>
            {nameOf(node)} <span class="fine">{mentionedIn(node)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
