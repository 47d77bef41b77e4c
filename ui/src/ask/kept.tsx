/** Conversations that are kept on the server for this key: opened, renamed, deleted, saved as a file. */
import { useState } from 'preact/hooks'
import type { ConversationHead } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { type Choices, unchosen } from './choices'
import { keep, keeping, openKept } from './conversation'

const SHOWN = 50

interface Props {
  readonly corpus: string
  readonly choices?: Choices
}

export function KeptConversations({ corpus, choices = unchosen }: Props) {
  const open = keeping.value[corpus]?.id ?? null
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).conversations.list({ limit: SHOWN }), [corpus, open])
  const [failed, fail] = useState<unknown>()
  const kept = corpusAt(corpus).conversations
  const act = async (work: Promise<unknown>) => {
    fail(undefined)
    await work.then(again, fail)
  }
  return (
    <>
      <Failure fault={fault ?? failed} again={again} />
      {value?.data.length === 0 && <p class="fine">None yet. Only your key sees them, and they expire.</p>}
      <ul class="kept">
        {value?.data.map((one) => (
          <KeptRow
            key={one.id}
            one={one}
            isOpen={one.id === open}
            show={() => void kept.get(one.id).then((whole) => openKept(corpus, whole, choices), fail)}
            rename={(title) => void act(kept.rename(one.id, title))}
            save={() => void kept.export(one.id).then((text) => download(`${one.id}.md`, text), fail)}
            remove={() => {
              if (one.id === open) keep(corpus, { id: null })
              void act(kept.delete(one.id))
            }}
          />
        ))}
      </ul>
    </>
  )
}

interface Row {
  readonly one: ConversationHead
  readonly isOpen: boolean
  readonly show: () => void
  readonly rename: (title: string) => void
  readonly save: () => void
  readonly remove: () => void
}

function KeptRow({ one, isOpen, show, rename, save, remove }: Row) {
  const [title, write] = useState<string | null>(null)
  const [isSure, ask] = useState(false)
  const name = one.title ?? 'Forgotten'
  if (title !== null)
    return (
      <li>
        <form
          class="row wrap"
          onSubmit={(event) => {
            event.preventDefault()
            if (title.trim() !== '') rename(title.trim())
            write(null)
          }}
        >
          <input
            class="grow"
            aria-label="Title"
            value={title}
            maxLength={100}
            onInput={(event) => write(event.currentTarget.value)}
            onKeyDown={(event) => event.key === 'Escape' && write(null)}
          />
          <button type="submit">Rename</button>
        </form>
      </li>
    )
  return (
    <li class="row wrap" aria-current={isOpen ? 'true' : undefined}>
      <button type="button" class="quiet grow title" onClick={show}>
        {name}
      </button>
      <span class="fine">
        {plural(one.turns, 'turn')}, {one.changed_at.slice(0, 10)}
      </span>
      <button type="button" class="small quiet" aria-label={`Rename ${name}`} onClick={() => write(one.title ?? '')}>
        Rename
      </button>
      <button type="button" class="small quiet" aria-label={`Save ${name}`} onClick={save}>
        Save
      </button>
      <button
        type="button"
        class={isSure ? 'small danger' : 'small quiet'}
        aria-label={`${isSure ? 'Yes, delete' : 'Delete'} ${name}`}
        onClick={() => (isSure ? remove() : ask(true))}
      >
        {isSure ? 'Yes, delete' : 'Delete'}
      </button>
    </li>
  )
}

function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href))
}
