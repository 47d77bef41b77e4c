/** A document that has its file: the pages as they look on paper, or the text. If the pages cannot be shown, the text is, and why. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Document } from '../../../src/client/client'
import { LazyPart, lazy } from '../shared/lazy-part'
import { returns } from '../shared/reach'
import { whyNoPages } from './faults'
import type { FilePagesProps } from './file-pages'

const filePages = lazy(() => import('./file-pages').then((module) => module.FilePages)) // with the library that draws

interface Props extends Omit<FilePagesProps, 'failed'> {
  readonly said: ComponentChildren
  /** The text, with the quote marked in it. */
  readonly children: ComponentChildren
}

interface Failed {
  readonly fault: unknown
  readonly of: Document
  readonly back: number
}

export function PagesOrText({ said, children, ...place }: Props) {
  const { document: about } = place
  const [view, choose] = useState<'pages' | 'text'>('pages')
  const [failed, fail] = useState<Failed | null>(null)
  const back = returns.value // of the server: what failed before is tried again
  const fault = failed?.of === about && failed.back === back ? failed.fault : undefined
  const isDrawn = view === 'pages' && fault === undefined
  const press = (wanted: typeof view) => {
    fail(null)
    choose(wanted)
  }
  return (
    <>
      <div class="fine row wrap">
        {said}
        <fieldset class="row switch" aria-label="How the document is shown">
          {(['pages', 'text'] as const).map((one) => (
            <button key={one} type="button" class="small" aria-pressed={(one === 'pages') === isDrawn} onClick={() => press(one)}>
              {one === 'pages' ? 'Pages' : 'Text'}
            </button>
          ))}
        </fieldset>
      </div>
      {view === 'pages' && fault !== undefined && (
        <p class="fine" role="alert">
          {whyNoPages(fault)} This is its text.
        </p>
      )}
      {isDrawn && about.corrected && <p class="fine">Its text was corrected here; the pages show what the file says.</p>}
      {isDrawn ? (
        <LazyPart part={filePages} props={{ ...place, failed: (reason) => fail({ fault: reason, of: about, back }) }} />
      ) : (
        children
      )}
    </>
  )
}

/** Whether its file is kept and can be drawn. */
export const hasPages = ({ file }: Document): boolean => file?.media_type === 'application/pdf'
