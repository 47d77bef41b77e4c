/** Languages by their code. */
import { z } from 'zod'
import { isLanguage, type Language, languageCodes } from '../core/text/languages'

/** "pt-BR" is read as "pt": regional variants make no difference here. */
export const languageSchema = z
  .string()
  .max(35)
  .transform((sent, context): Language => {
    const code = sent.trim().toLowerCase().split(/[-_]/)[0] ?? ''
    if (isLanguage(code)) return code
    context.addIssue({ code: 'custom', message: `a language by its code (ISO 639-1), one of ${languageCodes.join(', ')}` })
    return z.NEVER
  })
