/** The language of a document, and its correction: it is indexed again, since the language decides how words are stemmed. */
import { useState } from 'preact/hooks'
import type { Document } from '../../../src/client/client'
import { Allowed } from '../access/rights'
import { follow } from '../jobs/followed'
import { knownLanguages, languageName } from '../shared/languages'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'

interface Props {
  readonly corpus: string
  readonly document: Document
  readonly again: () => void
}

export function DocumentLanguage({ corpus, document: { document, title, language }, again }: Props) {
  const [sending, send] = useState(false)
  const [fault, fail] = useState<unknown>()
  const [said, tell] = useState('')
  const change = async (code: string | null) => {
    fail(undefined)
    send(true)
    try {
      const { job } = await corpusAt(corpus).setLanguage(document, code)
      if (job) await follow(corpus, job, `language of ${title || document}`)
      tell(job ? 'Indexed again.' : 'No change.')
      again()
    } catch (error) {
      fail(error)
    }
    send(false)
  }
  return (
    <details class="fine">
      <summary>{language === null ? 'Language not detected' : `In ${languageName(language)}`}</summary>
      <p>The language decides how words are stemmed, and questions can be limited to it.</p>
      <Allowed scope="write">
        <label class="row wrap">
          <span>Language</span>
          <select
            aria-label="Language"
            disabled={sending}
            value={language ?? ''}
            onChange={({ currentTarget: { value } }) => void change(value === '' ? null : value)}
          >
            <option value="">detect it from the text</option>
            {knownLanguages().map(([code, name]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </Allowed>
      <Failure fault={fault} />
      <p role="status">{sending ? 'Indexing again …' : said}</p>
    </details>
  )
}
