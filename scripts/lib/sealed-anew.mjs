/** After a local master key was replaced: the server's schedule seals every secret again; the older keys are deleted when nothing is left under them. */
const BETWEEN = 10_000 // ms between two checks

/** Outcomes that end it. */
export function forgetsOlderKeys({ state, url, key, say, ask = fetch, between = BETWEEN }) {
  let timer
  const look = async () => {
    const said = await page({ url, key, ask }).catch(() => undefined) // it may be restarting
    if (said?.status !== 'done') timer = setTimeout(look, between)
    else if (said.unreadable > 0)
      say(`${said.unreadable} secrets of webhooks or endpoints open under none of the master keys: rotate them (docs/webhooks.md).`)
    else {
      state.forgetOlderKeys()
      say('The master key is replaced: every secret is sealed under the new one.')
    }
  }
  timer = setTimeout(look, 0)
  return async () => clearTimeout(timer)
}

async function page({ url, key, ask }) {
  const response = await ask(new URL('/v1/master-key:reseal', url), { method: 'POST', headers: { authorization: `Bearer ${key}` } })
  return response.ok ? response.json() : undefined
}
