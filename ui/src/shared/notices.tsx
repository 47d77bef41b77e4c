/** What a page says when it has nothing to show: it is reading, it failed, or there is nothing yet. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { LoamError } from '../../../src/client/client'
import { adviceOn, messageOf } from './advice'

export function Busy({ what = 'Loading' }: { readonly what?: string }) {
  return (
    <p class="busy" role="status">
      <span class="dot" aria-hidden="true" /> {what} …
    </p>
  )
}

export function Failure({ fault, again }: { readonly fault: unknown; readonly again?: (() => void) | undefined }) {
  if (!fault) return null
  const errors = fault instanceof LoamError ? (fault.more.errors ?? []) : []
  return (
    <div class="failure" role="alert">
      <p>
        {fault instanceof Error ? messageOf(fault) : 'Something went wrong.'} {adviceOn(fault)}
      </p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {fault instanceof LoamError && fault.more.requestId && <p class="fine">Request {fault.more.requestId}</p>}
      {again && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A command to copy. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label="Command">
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <Copy text={text} />
    </div>
  )
}

/** A link to something that others can open. */
export const CopyLink = ({ link }: { readonly link: string }) => <Copy text={link}>Copy link</Copy>

export function Copy({ text, children = 'Copy' }: { readonly text: string; readonly children?: string }) {
  const [done, settle] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => undefined)
    settle(true)
    setTimeout(() => settle(false), 1500)
  }
  return (
    <button type="button" class="small" onClick={copy}>
      {done ? 'Copied' : children}
    </button>
  )
}
