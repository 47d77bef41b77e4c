/** Do all receipts follow from one another, up to the last, and is a hash noted earlier still among them? */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Busy, Command, Copy, Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { type Chain, chainOf } from './chain'

export function ChainCheck({ corpus }: { readonly corpus: string }) {
  const [noted, note] = useState('')
  const [asked, remember] = useState('')
  const [read, count] = useState<number | null>(null)
  const [chain, settle] = useState<Chain | null>(null)
  const [fault, fail] = useState<unknown>()
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const check = async (event: Event) => {
    event.preventDefault()
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    fail(undefined)
    settle(null)
    count(0)
    const wanted = noted.trim().toLowerCase()
    remember(wanted)
    await chainOf(corpus, { noted: wanted, progress: count, signal }).then(settle, (error) => signal.aborted || fail(error))
    if (!signal.aborted) count(null)
  }
  return (
    <section class="card" aria-labelledby="chain">
      <h2 id="chain">The chain</h2>
      <p class="fine">
        Each receipt contains a hash of the one before, so none can be changed, dropped or moved unnoticed. This page reads them all and
        recomputes the hashes itself.
      </p>
      <form class="stack" onSubmit={check}>
        <label for="noted">
          A hash you noted earlier <span class="fine">if you have one</span>
        </label>
        <input
          id="noted"
          pattern="\s*[0-9a-fA-F]{64}(,[0-9a-fA-F]{64})*\s*"
          title="64 hexadecimal digits, as shown under a receipt"
          autocomplete="off"
          spellcheck={false}
          value={noted}
          onInput={(event) => note(event.currentTarget.value)}
        />
        <p>
          <button type="submit" class="primary">
            Check the chain
          </button>
        </p>
      </form>
      <Failure fault={fault} />
      <div aria-live="polite">
        {read !== null && <Busy what={read === 0 ? 'Reading' : `${plural(read, 'receipt')} read`} />}
        {chain && <Verdict chain={chain} asked={asked} />}
      </div>
      <p class="fine">To check that documents and graph add up to the last state as well, verify an export:</p>
      <Command text={`loam export ${corpus} -o ${corpus}.jsonl && loam verify ${corpus}.jsonl`} />
    </section>
  )
}

function Verdict({ chain: { receipts, version, head, noted, faults }, asked }: { readonly chain: Chain; readonly asked: string }) {
  const lost = asked !== '' && noted === null
  return (
    <>
      {faults.length === 0 ? (
        <p class="notice">
          ✓ {plural(receipts, 'receipt')} {receipts === 1 ? 'stands' : 'follow from one another'}, up to version {version}.
          {noted !== null && ` The hash you noted is that of version ${noted}: nothing up to there was rewritten.`}
        </p>
      ) : (
        <div class="failure">
          <p>✗ The chain is broken. Take an export, and ask the operator of this Loam.</p>
          <ul>
            {faults.map((says) => (
              <li key={says}>{says}</li>
            ))}
          </ul>
        </div>
      )}
      {lost && (
        <p class="failure">✗ No receipt has the hash you noted. It belongs to another corpus, or this one’s history has been rewritten.</p>
      )}
      <p class="row">
        <span class="fine">The latest hash, to keep elsewhere</span>
      </p>
      <p class="row">
        <code class="break grow">{head}</code> <Copy text={head} />
      </p>
    </>
  )
}
