/** What each command takes, said once: for parsing and for the help. `takes`: how many words besides options, at most. */
import { askable, optional } from './strategies.mjs'

const text = (says, more = {}) => ({ type: 'string', says, ...more })
const flag = (says, more = {}) => ({ type: 'boolean', says, ...more })

export const service = {
  url: text('where Loam is (LOAM_URL; http://127.0.0.1:8787)'),
  key: text('the key (LOAM_KEY)'),
}
export const everywhere = {
  json: flag('JSON instead of text'),
  help: flag('this', { short: 'h' }),
  version: flag('the version'),
}
const corpus = { corpus: text('which corpus (LOAM_CORPUS; the one of `loam init`; the only one there is)', { short: 'c' }) }
const asking = {
  ...corpus,
  strategy: text(askable(), { short: 's' }),
  top: text('how many pieces of evidence', { short: 'k' }),
  budget: text('tokens of evidence at most'),
  filter: text('key=value of the metadata; may be repeated', { multiple: true }),
  'min-version': text('wait for this version of the corpus'),
  as: text(
    'ask for somebody: principals, parted by commas (group:finance,user:ana@example.org); a key with access_choose, or an admin key, may',
  ),
}
const sending = {
  ...corpus,
  estimate: flag('only say what it would cost'),
  yes: flag('do not ask before it costs something', { short: 'y' }),
  parallel: text('batches on their way at a time (4)'),
  wait: text('what to wait for: indexed (default) or accepted', { among: ['indexed', 'accepted'] }),
  base: text('folder the document ids are relative to (the current one)'),
  prefix: text('put before every id'),
}

export const commands = {
  init: {
    usage: 'init [corpus]',
    says: 'remember where Loam is, make the corpus',
    takes: 1,
    options: {
      ...service,
      strategies: text(`${optional()}: which the corpus uses`),
      'undelete-seconds': text('for so long after its deletion it can be undeleted (0)'),
    },
    examples: ['loam init birds', 'loam init birds --url https://loam.example.workers.dev --key loam_… --strategies erarag,gorag'],
  },
  dev: {
    usage: 'dev',
    says: 'run Loam on this machine, without an account',
    takes: 0,
    options: {
      port: text('8787; 0 takes a free one'),
      state: text('folder of everything it keeps (.loam)'),
      listen: text('the address to listen on (127.0.0.1); beyond this machine with a key of its own'),
      watch: flag('build again after an edit'),
    },
    examples: ['loam dev', 'LOCAL_MODEL_URL=http://127.0.0.1:11434/v1 LOCAL_TEXT_MODEL=qwen3:8b loam dev --port 8788'],
  },
  deploy: {
    usage: 'deploy',
    says: 'put Loam into your Cloudflare account; says first what it will do',
    takes: 0,
    options: {
      plan: flag('only say it, and what a month costs'),
      domain: text('a host name of your own, in a zone of the account'),
      sampling: text('the share of requests that are logged, 0 to 1'),
      'rotate-master-key': flag('replace the key that seals secrets; ADMIN_KEY must be set'),
      yes: flag('do not ask', { short: 'y' }),
    },
    examples: ['loam deploy --plan', 'loam deploy --domain docs.example.com', 'CLOUDFLARE_API_TOKEN=… ADMIN_KEY=… loam deploy --yes'],
  },
  ingest: {
    usage: 'ingest <file | folder | glob>…',
    says: 'documents in: md txt html jsonl csv tsv pdf docx epub. The same again continues, nothing is sent twice',
    takes: Number.POSITIVE_INFINITY,
    options: {
      ...service,
      ...sending,
      'text-column': text('column or key that holds the text (csv, jsonl)'),
      'id-column': text('column or key that holds the id'),
      access: text('labels, parted by commas: who may read these documents'),
    },
    examples: ['loam ingest docs', "loam ingest 'handbook/**/*.md' faq.csv --text-column answer", 'loam ingest docs --estimate'],
  },
  ask: {
    usage: 'ask <question>',
    says: 'an answer with its citations',
    takes: Number.POSITIVE_INFINITY,
    options: { ...service, ...asking },
    examples: ['loam ask What does the heron eat?', "loam ask 'What changed?' -s erarag --filter year=2024 --json"],
  },
  search: {
    usage: 'search <question>',
    says: 'the evidence, best first',
    takes: Number.POSITIVE_INFINITY,
    options: { ...service, ...asking },
    examples: ['loam search heron -k 3', 'loam search heron -s keyword | cut -f2 | sort -u'],
  },
  classify: {
    usage: 'classify [text | -]',
    says: 'the label of a text; `-` reads lines from standard input',
    takes: Number.POSITIVE_INFINITY,
    options: { ...service, ...corpus, learn: flag('learn from it'), file: text('the text is in this file', { short: 'f' }) },
    examples: ['loam classify The invoice is wrong', 'loam classify - <tickets.txt >labels.tsv'],
  },
  export: {
    usage: 'export [corpus]',
    says: 'everything of a corpus, to standard output',
    takes: 1,
    options: {
      ...service,
      ...corpus,
      format: text('jsonl (default; import takes it back) or graphml', { among: ['jsonl', 'graphml'] }),
      output: text('to this file', { short: 'o' }),
    },
    examples: ['loam export birds -o birds.jsonl', 'loam export birds --format graphml >birds.graphml'],
  },
  import: {
    usage: 'import <file | folder>…',
    says: 'what export gave; GraphML; output folders of Microsoft GraphRAG and LightRAG',
    takes: Number.POSITIVE_INFINITY,
    options: { ...service, ...sending },
    examples: ['loam import birds.jsonl -c birds-again', 'loam import ragtest/output', 'loam import rag_storage'],
  },
  verify: {
    usage: 'verify <file>',
    says: 'whether an export is whole and unaltered; asks nobody',
    takes: 1,
    options: { head: text('the last receipt you know it by') },
    examples: ['loam verify birds.jsonl', 'loam verify birds.jsonl --head 9f2c… --json'],
  },
  receipts: {
    usage: 'receipts [corpus]',
    says: 'the receipt of every change; --check works their chain out',
    takes: 1,
    options: {
      ...service,
      ...corpus,
      after: text('only those of later versions'),
      check: flag('does each follow from the one before?'),
      head: text('a hash noted earlier: is it still in the chain?'),
    },
    examples: ['loam receipts birds --after 12', 'loam receipts birds --check --head 9f2c…'],
  },
  forget: {
    usage: 'forget <document>…',
    says: 'delete documents, wait until nothing of them is left, show the receipt',
    takes: Number.POSITIVE_INFINITY,
    options: { ...service, ...corpus },
    examples: ['loam forget docs/old.md', "loam search 'Project Raven' -k 50 | cut -f2 | sort -u | xargs loam forget"],
  },
  access: {
    usage: 'access <document> [label]…',
    says: 'who may read a document; with labels, who may from now on',
    takes: Number.POSITIVE_INFINITY,
    options: { ...service, ...corpus, as: asking.as, open: flag('take all labels away') },
    examples: ['loam access pay.md', 'loam access pay.md group:finance user:ana@example.org', 'loam access pay.md --open'],
  },
  delete: {
    usage: 'delete <corpus>',
    says: 'delete a corpus and everything in it',
    takes: 1,
    options: {
      ...service,
      'at-once': flag('without the time in which it could be undeleted'),
      yes: flag('do not ask', { short: 'y' }),
    },
    examples: ['loam delete birds', 'loam delete birds --at-once --yes'],
  },
  undelete: {
    usage: 'undelete <corpus>',
    says: 'a deleted corpus back, while its undelete_seconds last',
    takes: 1,
    options: { ...service },
    examples: ['loam undelete birds'],
  },
  probes: {
    usage: 'probes [add <question> | remove <number>]',
    says: 'questions no change of the graph may lose, and what they found last',
    takes: Number.POSITIVE_INFINITY,
    options: {
      ...service,
      ...corpus,
      expect: text('a document that must be found; may be repeated', { multiple: true }),
      top: text('how many pieces of evidence are looked at (10)', { short: 'k' }),
      tolerance: text('how much of its recall a strategy may lose (0.02)'),
    },
    examples: ["loam probes add 'Who may approve a refund?' --expect refunds.md", 'loam probes', 'loam probes remove 2'],
  },
  names: {
    usage: 'names [merge <entity> <entity> | unmerge <entity> [entity]]',
    says: 'which entities are one thing (ArchRAG): the decisions, and deciding',
    takes: 3,
    options: { ...service, ...corpus },
    examples: ['loam names', "loam names merge 'Marta Lind' 'M. Lind'", "loam names unmerge 'M. Lind'"],
  },
  audit: {
    usage: 'audit [corpus]',
    says: 'who did what to a corpus, newest first; --deployment: to keys and corpora',
    takes: 1,
    options: {
      ...service,
      ...corpus,
      deployment: flag('who made, rotated and revoked keys, made and deleted corpora'),
      since: text('only entries of this time or later'),
      limit: text('how many at most (100)'),
    },
    examples: ['loam audit birds --since 2026-11-01', 'loam audit --deployment --json'],
  },
  status: {
    usage: 'status [corpus]',
    says: 'corpora, or one corpus and its jobs',
    takes: 1,
    options: { ...service, ...corpus, watch: flag('until nothing is under way') },
    examples: ['loam status', 'loam status birds --watch'],
  },
  health: {
    usage: 'health [corpus]',
    says: 'what the schedule has found, and whether the vector index and the database hold what they should',
    takes: 1,
    options: { ...service, ...corpus },
    examples: ['loam health birds', 'loam health birds --json'],
  },
  keys: {
    usage: 'keys [create | limit <id> | rotate <id> | revoke <id> | usage | master]',
    says: 'list keys; make one (shown once); say what one may use in a day; give one a new secret; take one back; what is used; how far a new master key is',
    takes: 2,
    options: {
      ...service,
      name: text('what it is for'),
      scopes: text('read,write,admin (read)'),
      corpora: text('names, or * for all, also those to come (LOAM_CORPUS; the one of `loam init`; the only one there is)'),
      principals: text('whom its bearer speaks for, parted by commas: group:finance,user:ana@example.org'),
      choose: flag('a request with it may say for whom it asks (Loam-As)'),
      expires: text('30d, 12h or a time; never unless told'),
      tokens: text('it may use in a day of UTC; `limit` with none of the three lifts them'),
      usd: text('it may spend in a day'),
      requests: text('it may make in a day'),
      overlap: text('seconds for which a rotated key’s old secret is still good (86400)'),
    },
    examples: ['loam keys create --name website --corpora birds --expires 90d', 'loam keys rotate 905986f3e03085f4 --overlap 3600'],
  },
}
