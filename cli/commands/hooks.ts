/** `loam hooks`: addresses to which other systems send signed documents. Plain: id, preset, address, labels; a new one: id, address, secret. */
import { readFileSync } from 'node:fs'
import type { HooksClient, MadeHook, Mapping, NewHook, Preset, SignatureForm } from '../../src/client/client'
import { command, text, type Values } from '../command'
import { all, connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { corpus, service } from '../options'
import { fields, type Output } from '../output'
import { wholeNumber } from '../question'
import { sendEvent } from '../send-event'
import { table } from '../table'

const options = {
  ...service,
  ...corpus,
  preset: text('the kind of sender (standard)', { choices: ['standard', 'github', 'generic', 'hmac'] }),
  signature: text('for hmac, a JSON file that says how the sender signs: {"header": "x-signature", "prefix": "sha256="}'),
  secret: text('a file with the secret the sender already has; without it one is created. To send: the webhook’s secret'),
  mapping: text('a JSON file that says where an event has its documents'),
  source: text('for github, a source: a push to the branch it follows fetches it at once'),
  access: text('labels for its documents, separated by commas'),
  event: text('to send: the id of the event; an id is accepted only once'),
  overlap: text('seconds for which a rotated hook’s old secret stays valid (86400)'),
}

export const hooks = command(
  {
    usage: 'hooks [create | rotate <id> | remove <id> | send <address> <event.json>]',
    verbs: ['create', 'rotate', 'remove', 'send'],
    summary: 'list, create (the secret is shown once), rotate and remove incoming webhooks; send one an event, signed',
    maxWords: 3,
    options,
    examples: [
      'loam hooks create --preset github --mapping wiki.json',
      'loam hooks create --preset github --source src_1',
      'loam hooks rotate h_2x --overlap 3600',
      'loam hooks send https://loam.example/v1/hooks/h_2x event.json --preset hmac --signature form.json --secret secret.txt',
    ],
  },
  async ({ values, positionals: [action = 'list', id, file], out, env, stdin }) => {
    const preset = (values.preset ?? 'standard') as Preset // one of its choices
    if (action === 'send') {
      const { signature, secret } = values
      return sendEvent({ address: id, file, preset, signature, secret, id: values.event }, out, stdin)
    }
    if (file !== undefined) throw misuse(`hooks ${action} takes no "${file}"`)
    const { hooks: hooked } = await findCorpus(connect({ values, env }))
    if (action === 'list') return list(hooked, out)
    if (action === 'create') return show(await hooked.create(formIn(preset, values)), out)
    if (action !== 'rotate' && action !== 'remove') throw misuse(`"${action}": expected create, rotate, remove, send or nothing`)
    if (!id) throw misuse(`which hook? loam hooks ${action} <id>`)
    if (action === 'rotate') return show(await hooked.rotate(id, { overlap: wholeNumber('overlap', values.overlap ?? '86400', 0) }), out)
    await hooked.remove(id)
    out.result({ hook: id, status: 'removed' }, { people: () => `${id} is removed`, plain: () => fields(id, 'removed') })
  },
)

type Given = Values<typeof options>

function formIn(preset: Preset, { signature, secret, mapping, access, source }: Given): NewHook {
  if (preset === 'hmac' && !signature)
    throw misuse('--signature names the JSON file that says how the sender signs: {"header": "x-signature"}')
  return {
    preset,
    ...(signature === undefined ? {} : { signature: JSON.parse(readFileSync(signature, 'utf8')) as SignatureForm }),
    ...(secret === undefined ? {} : { secret: readFileSync(secret, 'utf8').trim() }),
    ...(mapping === undefined ? {} : { mapping: JSON.parse(readFileSync(mapping, 'utf8')) as Mapping }),
    ...(access === undefined ? {} : { access: access.split(',').map((label) => label.trim()) }),
    ...(source === undefined ? {} : { source }),
  }
}

async function list(hooked: HooksClient, out: Output): Promise<void> {
  out.result(await all((paging) => hooked.list(paging)), {
    people: (rows) =>
      rows.length === 0
        ? 'No webhooks; `loam hooks create` creates one.'
        : table(
            ['hook', 'preset', 'source', 'labels', 'address'],
            rows.map((one) => [one.hook, one.preset, one.source, one.access.join(', '), one.url]),
            { ...out, columns: Number.POSITIVE_INFINITY }, // an address is for copying
          ),
    plain: (rows) => rows.map((one) => fields(one.hook, one.preset, one.url, one.access.join(','))).join('\n'),
  })
}

function show(made: MadeHook, out: Output): void {
  out.result(made, {
    people: ({ hook, url, secret }) => `${hook}\n  post to  ${url}\n  secret   ${secret}\n\nThe secret is shown only this once.`,
    plain: ({ hook, url, secret }) => fields(hook, url, secret),
  })
}
