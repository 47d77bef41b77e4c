/** A tool of the Vercel AI SDK: whatever model you use asks a corpus, and is given an answer with its sources. */
import { tool } from 'ai'
import { Loam } from 'loam/client'
import { z } from 'zod'

const loam = new Loam({ url: process.env.LOAM_URL ?? 'http://127.0.0.1:8787', key: process.env.LOAM_KEY ?? 'local-development-key' })
const birds = loam.corpus('birds')

/** `generateText({ model, tools: { askBirds }, stopWhen: stepCountIs(3), prompt })` */
export const askBirds = tool({
  description: 'Answers a question about birds from our documents, with checked quotations. Statements without a source are not in them.',
  inputSchema: z.object({ question: z.string().describe('One question, complete in itself.') }),
  execute: async ({ question }) => {
    const { answer, answered, citations } = await birds.query({ query: question })
    return {
      answer,
      answered,
      sources: citations.map(({ marker, document, title, quote, link, url }) => ({ marker, document, title, quote, url: link ?? url })),
    }
  },
})

console.log(await askBirds.execute?.({ question: 'What does the heron eat?' }, { toolCallId: 'tried', messages: [] }))
