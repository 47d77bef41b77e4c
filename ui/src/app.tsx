/** The frame around every view: who is signed in, where the visitor is, and the light or dark theme. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CorporaPage } from './pages/corpora'
import { CorpusPage } from './pages/corpus'
import { SignInPage } from './pages/sign-in'
import { type Route, route, to } from './route'
import { asked, choose, key, signOut, type Theme, theme } from './session'
import { LazyPart, lazy } from './shared/lazy-part'
import { isAway } from './shared/reach'
import { UndoBar } from './shared/undo-bar'

export function App() {
  const { path } = route.value
  const main = useRef<HTMLElement>(null)
  const place = path.join('/')
  const first = useRef(true)
  // A screen reader announces a new page because the focus moves to it; not at the first visit, where the browser does it.
  useLayoutEffect(() => {
    if (!first.current) {
      main.current?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    first.current = false
  }, [place, key.value === null])
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <Header />
      <UndoBar />
      <p role="status" class={isAway.value ? 'notice away' : undefined}>
        {isAway.value && 'The server cannot be reached. This page keeps trying and continues by itself; what it shows may be out of date.'}
      </p>
      <main id="main" ref={main} tabIndex={-1}>
        {key.value === null ? <SignInPage /> : pageOf(route.value)}
      </main>
    </>
  )
}

const keys = lazy(() => import('./pages/keys').then((module) => module.KeysPage))

function pageOf({ path, query }: Route): ComponentChildren {
  const [first, second, ...rest] = path
  if (first === undefined) return <CorporaPage />
  if (first === 'keys') return <LazyPart part={keys} props={{}} />
  if (first === 'c' && second !== undefined)
    return <CorpusPage key={[second, ...asked.value].join()} corpus={second} path={rest} query={query} />
  return (
    <section class="page">
      <h1>Nothing here</h1>
      <p>
        <a href={to([])}>All corpora</a>
      </p>
    </section>
  )
}

function Header() {
  const signedIn = key.value !== null
  const [first] = route.value.path
  return (
    <header class="top">
      <a class="brand" href={to([])}>
        <img src="/icon.svg" alt="" width="28" height="28" />
        Loam
      </a>
      {signedIn && (
        <nav aria-label="Site">
          <a href={to([])} aria-current={first === undefined || first === 'c' ? 'page' : undefined}>
            Corpora
          </a>
          <a href={to(['keys'])} aria-current={first === 'keys' ? 'page' : undefined}>
            Keys
          </a>
        </nav>
      )}
      <span class="grow" />
      <ThemeChoice />
      {signedIn && (
        <button type="button" class="quiet" onClick={() => signOut()}>
          {key.value ? 'Sign out' : 'Sign in'}
        </button>
      )}
    </header>
  )
}

const NEXT: Readonly<Record<Theme, Theme>> = { auto: 'dark', dark: 'light', light: 'auto' }
const SIGN: Readonly<Record<Theme, string>> = { auto: '◐', dark: '●', light: '○' }
const WORD: Readonly<Record<Theme, string>> = { auto: 'like the system', dark: 'dark', light: 'light' }

function ThemeChoice() {
  const now = theme.value
  return (
    <button
      type="button"
      class="quiet icon"
      title={`Colours: ${WORD[now]}`}
      aria-label={`Colours: ${WORD[now]}. Change`}
      onClick={() => choose(NEXT[now])}
    >
      <span aria-hidden="true">{SIGN[now]}</span>
    </button>
  )
}
