/** OpenAI's Responses: a question to a corpus in OpenAI's newer form. The answer is kept on request (../kept-turn.ts). */
import { responseObject, responseSchema } from '../../contract/responses'
import { limitStranger } from '../access'
import { readJson } from '../body'
import { streamWithMarkers, withMarkers } from '../doors/content-markers'
import { streamWithDisagreements, withDisagreements } from '../doors/disagreements-in-text'
import { insideClient } from '../doors/inside'
import { streamLines, throwAsProblem } from '../doors/lines'
import { responseEvents, responseFailed, responseOf } from '../doors/response-reply'
import { questionOfResponse } from '../doors/response-request'
import { route } from '../route'
import { CHAT_LIMIT, STRANGER_LIMIT } from './openai'

const EVENTS =
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Bread is baked on Tuesdays [1].","logprobs":[]}\n\n'

export const responseRoutes = [
  route({
    method: 'post',
    path: '/v1/responses',
    id: 'createResponse',
    tag: 'chat',
    summary: 'Answer from a corpus, as a response of OpenAI’s newer interface',
    description:
      '`store: true` keeps question and answer for the key, and `previous_response_id` or `conversation` continues from there. `prompt`, `background` and any format but text are refused. Functions in `tools` are passed to the answering model, as in a chat. `instructions` describe the form of the answer in a few words. Each citation is an annotation: of a URL, or, for a document without one, a `file_citation`. Streams with `stream: true`.',
    access: 'body',
    body: { schema: responseSchema, limit: CHAT_LIMIT, readBy: 'handler', example: { model: 'manuals', input: 'When is bread baked?' } },
    answers: { 200: { description: 'The response.', schema: responseObject, events: EVENTS } },
    problems: ['not_found', 'conversation_not_found', 'conflict'],
    foreign: true,
  }).answer(async (c) => {
    await limitStranger(c)
    const asked = await readJson(c, responseSchema, c.get('principal') ? CHAT_LIMIT : STRANGER_LIMIT)
    const { corpus, question } = questionOfResponse(c.get('principal') ? asked : { ...asked, store: undefined })
    const head = {
      id: `resp_${c.get('requestId')}`,
      created: Math.floor(c.get('world').now() / 1000),
      model: asked.model,
      instructions: asked.instructions ?? null,
      previous: asked.previous_response_id ?? null,
    }
    const client = insideClient(c).corpus(corpus)
    const style = asked.citation_markers
    if (asked.stream) {
      const lines = (events: ReturnType<typeof client.ask>) =>
        responseEvents(head, streamWithDisagreements(streamWithMarkers(events, style), style))
      return { response: await streamLines(c, client.ask(question), lines, (failure) => responseFailed(head, failure)) }
    }
    return {
      status: 200,
      body: responseOf(head, withDisagreements(withMarkers(await client.query(question).catch(throwAsProblem), style), style)),
    }
  }),
]
