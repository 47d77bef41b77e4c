/** Names of commands in other tools (git, Docker, databases, other RAG tools), for users who try those first. */
const OTHERS: { readonly [command: string]: string } = {
  'loam ask': 'answer chat query question',
  'loam search': 'find grep retrieve',
  'loam ingest': 'add index insert load push put sync upload',
  'loam documents': 'docs files list ls',
  'loam show': 'cat describe get inspect read view',
  'loam forget': 'del erase remove rm unlink',
  'loam init': 'create mkdir new',
  'loam delete': 'destroy drop',
  'loam status': 'collections corpora corpus info stats',
  'loam reindex': 'rebuild',
  'loam start': 'run serve server up',
  'loam deploy': 'publish',
  'loam doctor': 'check',
  'loam usage': 'billing cost costs',
  'loam health': 'ping',
  'loam keys': 'key login token tokens',
  'loam backup': 'dump snapshot',
  'loam entities': 'nodes',
  'loam hooks': 'webhooks',
  'loam audit': 'history log logs',
  'loam --version': 'version',
  'loam --help': 'commands',
}
export const otherNames: readonly (readonly [name: string, here: string])[] = Object.entries(OTHERS).flatMap(([command, names]) =>
  names.split(' ').map((name) => [name, command] as const),
)
const BY_NAME = new Map(otherNames)

/** As it is typed here; undefined: not a name that is known elsewhere. */
export const calledHere = (name: string): string | undefined => BY_NAME.get(name.toLowerCase())
