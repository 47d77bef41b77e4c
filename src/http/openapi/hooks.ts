/** Webhooks, as the reference describes them. */
import { z } from 'zod'
import { heard, hook, hookSchema, rotateSchema, shownHook } from '../../contract/hooks'
import { listOf } from '../../contract/pages'
import { cursor, limit, type Operation } from './operation'

const header = (name: string, description: string) => ({ name, in: 'header' as const, description, schema: { type: 'string' } })

export const hookOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/hooks',
    id: 'createHook',
    tag: 'hooks',
    summary: 'Let another system send documents, signed',
    description:
      'Presets: `standard` and `generic` (Standard Webhooks headers), `github` (`X-Hub-Signature-256`). Without a mapping `standard` and `generic` take `{id, text, title?, url?, metadata?}`, flat or under `data`, and `{id, deleted: true}`; `github` takes the notes of releases and the messages of pushed commits.',
    access: ['write'],
    body: {
      schema: hookSchema,
      example: {
        preset: 'generic',
        mapping: { id: '/page/id', text: '/page/body', title: '/page/title', deleted: { pointer: '/event', equals: 'page.removed' } },
      },
    },
    answers: { 201: { description: 'Made.', schema: shownHook } },
    problems: ['conflict'],
    repeatable: true,
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/hooks',
    id: 'listHooks',
    tag: 'hooks',
    summary: 'The webhooks of a corpus',
    access: ['write'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of webhooks, without secrets.', schema: listOf(hook) } },
    problems: ['invalid'],
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/hooks/{hook}',
    id: 'getHook',
    tag: 'hooks',
    summary: 'One webhook',
    access: ['write'],
    answers: { 200: { description: 'The webhook, without its secret.', schema: hook } },
    problems: ['hook_not_found'],
  },
  {
    method: 'delete',
    path: '/v1/corpora/{corpus}/hooks/{hook}',
    id: 'deleteHook',
    tag: 'hooks',
    summary: 'Take no more events from a sender',
    access: ['write'],
    answers: { 204: { description: 'Removed, with its secrets.' } },
    problems: ['hook_not_found'],
  },
  {
    method: 'post',
    path: '/v1/corpora/{corpus}/hooks/{hook}:rotate',
    id: 'rotateHook',
    tag: 'hooks',
    summary: 'A new secret; the old one is good for `overlap` seconds more',
    access: ['write'],
    body: { schema: rotateSchema, optional: true, example: { overlap: 3600 } },
    answers: { 200: { description: 'Rotated.', schema: shownHook } },
    problems: ['hook_not_found'],
    repeatable: true,
  },
  {
    method: 'post',
    path: '/v1/hooks/{hook}',
    id: 'receiveEvent',
    tag: 'hooks',
    summary: 'An event from a sender',
    description:
      'Needs no key: the signature over the raw body says who sent it, and is checked before anything is parsed. Timestamps may be off by five minutes. An event that was heard before is answered `duplicate` and changes nothing.',
    access: 'signed',
    parameters: [
      header('webhook-id', 'Names the event (Standard Webhooks).'),
      header('webhook-timestamp', 'Seconds since the epoch.'),
      header('webhook-signature', '`v1,` and base64 of HMAC-SHA-256 over `id.timestamp.body`; several, separated by spaces.'),
      header('x-hub-signature-256', '`sha256=` and hex of HMAC-SHA-256 over the body (GitHub).'),
      header('x-github-delivery', 'Names the event (GitHub).'),
    ],
    body: { schema: z.record(z.string(), z.unknown()), example: { id: 'a', text: 'A heron waits.' } },
    answers: {
      200: { description: 'Heard before, nothing new, or about no document.', schema: heard },
      202: { description: 'Taken in.', schema: heard, example: { job: 'j_1' } },
    },
    problems: [
      'signature_invalid',
      'rate_limited',
      'hook_not_found',
      'master_key_changed',
      'over_budget',
      'corpus_full',
      'storage_full',
      'database_full',
      'index_full',
    ],
  },
]
