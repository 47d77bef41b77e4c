/**
 * The first script, inline in the page (ui/build.mjs): it prevents a flash of the wrong theme, and requests the scripts and data that the
 * address needs while the rest of the page still arrives.
 */
import { parse } from '../address'
import { KEY, read, THEME } from '../stored'
import { firstCalls, laterCalls, OF_KEYS } from './first-calls'
import { begin, beginAfter } from './replies'

/** Scripts of each tab that the page's first script does not import itself; the build fills it in. */
declare const SCRIPTS: Readonly<Record<string, readonly string[]>>

const theme = read(() => localStorage, THEME)
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

const key = read(() => sessionStorage, KEY)
if (key !== null) {
  const { path, query } = parse(location.hash)
  const [first = '', , tab = ''] = path
  for (const script of SCRIPTS[first === 'c' ? `c/${tab}` : first] ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = `/${script}`
    document.head.append(link)
  }
  for (const call of firstCalls(path, query)) if (key !== '' || !OF_KEYS.has(call)) begin(call, key)
  const later = laterCalls(path, query)
  if (later) void beginAfter(later, key)
}
