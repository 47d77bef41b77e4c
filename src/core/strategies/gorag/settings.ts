/** GORAG's settings (arXiv 2501.02844), each with its source or reason. */
import { z } from 'zod'
import { flag, publicNames, share, whole } from '../../setting-fields'

const DAY = 86_400_000 // milliseconds

const learning = z.object({
  /** If false, nothing is ever learned, whatever a call asks for (the paper's "offline"). */
  online: flag.default(true), // a call must still ask for it
  /** The lowest confidence at which a text is learned. */
  confidence: share.default(0.8), // one in five wrong, if confidence means what it says
  /** What a learned text weighs beside a labelled one, before its confidence counts. */
  weight: share.default(0.5),
  /** Milliseconds after which a learned text that nothing has confirmed weighs half. */
  halfLife: whole(60_000, 1e13)
    .default(30 * DAY)
    .register(publicNames, { name: 'half_life_ms' }),
  /** How many learned texts of a label must have a new word before it speaks for the label; at 1, as in the paper, every word does at once. */
  confirmations: whole(1, 100).default(2), // with 1, one decision's words drew texts away from older labels: 2.7 points in the worst round, .7 with two
  /** The most learned texts kept for one label: the most confident ones. */
  max: whole(0, 1000).default(32).register(publicNames, { formerly: 'most' }),
})

export const goragSettings = z.object({
  /** The most words in a keyword. */
  phrase: z.literal([1, 2, 3]).default(2), // "phrases with less than 3 words" (§3.2)
  /** Keywords taken from one text, best by Eq. 2. */
  keywords: whole(1, 1000).default(64), // all of a short text; in a text of 100 words, about what a threshold on relative weight would keep
  /** Which Steiner tree: Mehlhorn's, or the paper's Algorithm 2. */
  steiner: z.enum(['mehlhorn', 'mst']).default('mehlhorn'), // a 2-approximation; the paper's Algorithm 2 is not one
  /** The most keywords of the text that the tree must span, strongest first. */
  terminals: whole(2, 200).default(24), // keywords of a few sentences; bounds the tree that a reader is shown
  /** The fewest candidates; too narrow a gate is a ceiling on accuracy. */
  min: whole(1, 1000).default(5).register(publicNames, { formerly: 'least' }),
  /** s: for a text in doubt, up to 2s/(1 + s) of all labels are candidates; a sure text has fewer. */
  share: share.default(0.2), // never more than a third
  /** Is a label's name, if it is made of words, read as a description of it? */
  names: flag.default(true), // Algorithm 1, lines 5 to 9: what a label is called says what it is about
  /** Does the text model, if there is one, describe labels that come without a description? */
  describe: flag.default(true),
  learning: learning.prefault({}),
})

export type GoragSettings = Readonly<z.output<typeof goragSettings>>

export const goragDefaults: GoragSettings = goragSettings.parse({})

declare module '../../settings' {
  interface Settings {
    readonly gorag: GoragSettings
  }
}
