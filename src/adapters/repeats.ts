/** What may be done again of each call to a corpus's object about what it sends, keeps and watches, if no response came (corpus-calls.ts has the others). */
import type { ConversationObject } from '../ports/conversations'
import type { OutboundObject } from '../ports/outbound'
import type { SeeingObject } from '../ports/seeing'
import type { Repeat } from './reached'

export const OUTBOUND: { readonly [call in keyof OutboundObject]: Repeat } = {
  endpoints: 'again',
  addEndpoint: 'once',
  renewEndpoint: 'again',
  endpointSecrets: 'again',
  replaceSecrets: 'again', // a second one finds other secrets than it would replace, and another pass follows
  removeEndpoint: 'once',
  deliveries: 'again',
  redeliver: 'again',
  claimDelivery: 'once', // a claim is an attempt
  closeDelivery: 'once',
  sources: 'again',
  source: 'again',
  addSource: 'once',
  removeSource: 'once',
  sourceItems: 'again',
  askSource: 'again',
  claimSource: 'once',
  closeSource: 'again',
  plannedFor: 'again',
  provided: 'again',
}

export const SEEING: { readonly [call in keyof SeeingObject]: Repeat } = {
  figures: 'again',
  costs: 'again',
  noteQuestion: 'again', // under its id
  questions: 'again',
  poorQuestions: 'again',
  rateQuestion: 'again',
  forgetQuestion: 'once',
  alerts: 'again',
  putAlerts: 'again',
  testAlert: 'once',
}

export const CONVERSATIONS: { readonly [call in keyof ConversationObject]: Repeat } = {
  conversations: 'again',
  conversation: 'again',
  restsOn: 'again',
  earlierTurns: 'again',
  keepTurn: 'again', // under its id
  renameConversation: 'again',
  forgetConversations: 'once',
}
