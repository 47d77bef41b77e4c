/** What a corpus's settings are unless told: those of every strategy, beside what all of them have. */
import { commonDefaults, type Settings } from '../settings'
import { declarations } from './index'

const own = Object.fromEntries(declarations.flatMap(({ name, settings }) => (settings ? [[name, settings.parse({})]] : [])))

/** Each strategy adds to the type what its schema parses to. */
export const defaultSettings = { ...commonDefaults, ...own } as Settings
