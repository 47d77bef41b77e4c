/** Signing in: with a key, or without one for public corpora. */
import { useState } from 'preact/hooks'
import { go } from '../route'
import { localKey, reason, signIn } from '../session'
import { loam } from '../shared/loam'
import { Failure } from '../shared/notices'

export function SignInPage() {
  const [entered, enter] = useState(localKey)
  const [name, rename] = useState('')
  const [fault, fail] = useState<unknown>()
  const open = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    try {
      await loam({ bearer: entered.trim() }).corpora({ limit: 1 })
      signIn(entered.trim())
    } catch (error) {
      fail(error)
    }
  }
  const look = (event: Event) => {
    event.preventDefault()
    signIn('')
    go(['c', name.trim(), 'ask'])
  }
  return (
    <section class="page narrow door">
      <h1>Ask what your documents know.</h1>
      <p class="lead">
        Loam grows a graph of your corpus with every document, and answers with quotes that can be checked letter for letter.
      </p>
      <form onSubmit={open} class="card">
        <label for="key">Your key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          value={entered}
          onInput={(event) => enter(event.currentTarget.value)}
        />
        <p class="fine">
          {localKey
            ? 'Filled in: the key of a local Loam. It works on this machine alone.'
            : 'The ADMIN_KEY of your deployment, or a key created with it. It stays in this tab and is forgotten when you close it.'}
        </p>
        {reason.value && !fault && <p class="failure">{reason.value}</p>}
        <Failure fault={fault} />
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      <details>
        <summary>Read a public corpus without a key</summary>
        <form onSubmit={look} class="row">
          <label class="grow">
            <span class="visually-hidden">Name of the corpus</span>
            <input
              required
              pattern="[a-z0-9][a-z0-9\-]*"
              placeholder="name of the corpus"
              value={name}
              onInput={(event) => rename(event.currentTarget.value)}
            />
          </label>
          <button type="submit">Read</button>
        </form>
      </details>
    </section>
  )
}
