/** What each command takes, said once: for parsing and for the help. */
import { parseArgs } from 'node:util'
import { misuse } from './failure.mjs'

const text = (says, more = {}) => ({ type: 'string', says, ...more })
const flag = (says, more = {}) => ({ type: 'boolean', says, ...more })

const everywhere = {
  url: text('where Loam is (LOAM_URL; http://127.0.0.1:8787)'),
  key: text('the key (LOAM_KEY)'),
  json: flag('JSON instead of text'),
  help: flag('this', { short: 'h' }),
  version: flag('the version'),
}
const corpus = { corpus: text('which corpus (LOAM_CORPUS; the only one there is)', { short: 'c' }) }
const asking = {
  ...corpus,
  strategy: text('auto, vector, keyword, hybrid, erarag, cluerag, ketrag or archrag', { short: 's' }),
  top: text('how many pieces of evidence', { short: 'k' }),
  budget: text('tokens of evidence at most'),
  filter: text('key=value of the metadata; may be repeated', { multiple: true }),
  'min-version': text('wait for this version of the corpus'),
}
const sending = {
  ...corpus,
  yes: flag('do not ask before it costs something', { short: 'y' }),
  parallel: text('batches on their way at a time (4)'),
  wait: text('what to wait for: indexed (default) or accepted'),
  base: text('folder the document ids are relative to (the current one)'),
  prefix: text('put before every id'),
}

export const commands = {
  init: {
    usage: 'init [corpus]',
    says: 'remember where Loam is, make the corpus',
    options: { strategies: text('erarag,cluerag,ketrag,archrag,gorag: which the corpus uses') },
  },
  dev: {
    usage: 'dev',
    says: 'run Loam on this machine, without an account',
    options: {
      port: text('8787'),
      state: text('folder of everything it keeps (.loam)'),
      watch: flag('build again after an edit'),
    },
  },
  deploy: {
    usage: 'deploy',
    says: 'put Loam into your Cloudflare account; says first what it will do',
    options: { plan: flag('only say it'), yes: flag('do not ask', { short: 'y' }) },
  },
  ingest: {
    usage: 'ingest <file | folder | glob>…',
    says: 'documents in: md txt html jsonl csv tsv pdf docx epub. The same command again continues, and sends nothing twice',
    options: {
      ...sending,
      'text-column': text('column or key that holds the text (csv, jsonl)'),
      'id-column': text('column or key that holds the id'),
    },
  },
  ask: { usage: 'ask <question>', says: 'an answer with its citations', options: asking },
  search: { usage: 'search <question>', says: 'the evidence, best first', options: asking },
  classify: {
    usage: 'classify [text | -]',
    says: 'the label of a text; `-` reads lines from standard input',
    options: { ...corpus, learn: flag('learn from it'), file: text('the text is in this file', { short: 'f' }) },
  },
  export: {
    usage: 'export',
    says: 'everything of a corpus, to standard output',
    options: {
      ...corpus,
      format: text('jsonl (default; import takes it back) or graphml'),
      output: text('to this file', { short: 'o' }),
    },
  },
  import: {
    usage: 'import <file | folder>…',
    says: 'what export gave; GraphML; output folders of Microsoft GraphRAG and LightRAG',
    options: sending,
  },
  status: {
    usage: 'status',
    says: 'corpora, or one corpus and its jobs',
    options: { ...corpus, watch: flag('until nothing is under way') },
  },
  keys: {
    usage: 'keys [create | revoke <id>]',
    says: 'list keys; make one (shown once); take one back',
    options: {
      name: text('what it is for'),
      scopes: text('read,write,admin (read)'),
      corpora: text('names, or * (the default)'),
    },
  },
}

/** @returns {{command: keyof typeof commands | undefined, values: Record<string, any>, positionals: string[]}} */
export function argumentsOf(given) {
  const [first, ...rest] = given
  const command = first !== undefined && Object.hasOwn(commands, first) ? first : undefined
  if (command === undefined && first !== undefined && !first.startsWith('-') && first !== 'help')
    throw misuse(`there is no command "${first}"; loam --help names them`)
  if (first === 'help')
    return { command: Object.hasOwn(commands, rest[0] ?? '') ? rest[0] : undefined, values: { help: true }, positionals: [] }
  const options = { ...everywhere, ...(command ? commands[command].options : {}) }
  try {
    const { values, positionals } = parseArgs({ args: command ? rest : given, options, allowPositionals: true, strict: true })
    return { command, values, positionals }
  } catch (error) {
    throw misuse(error.message.split('. ')[0]) // the rest explains how to pass what begins with a dash
  }
}

export function helpOf(command) {
  if (command === undefined) {
    const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length))
    const lines = Object.values(commands).map(({ usage, says }) => `  loam ${usage.padEnd(width)}  ${says}`)
    return `Graph RAG for corpora that never stop growing.\n\n${lines.join('\n')}\n\n${optionLines(everywhere)}\n\nloam <command> --help says more.`
  }
  const { usage, says, options } = commands[command]
  return `loam ${usage}\n  ${says}\n\n${optionLines({ ...options, ...omitted(everywhere, options) })}`
}

const omitted = (all, taken) => Object.fromEntries(Object.entries(all).filter(([name]) => !Object.hasOwn(taken, name)))

function optionLines(options) {
  return Object.entries(options)
    .map(
      ([name, { type, short, says }]) =>
        `  ${`${short ? `-${short}, ` : '    '}--${name}${type === 'string' ? ' …' : ''}`.padEnd(24)}${says}`,
    )
    .join('\n')
}
