/** Kinds of files that are read: their media types and file name extensions. */

export const fileTypes = {
  plain: { name: 'plain text', media: ['text/plain'], endings: ['txt', 'text', 'log', 'rst', 'adoc', 'asciidoc', 'org', 'tex'] },
  markdown: { name: 'Markdown', media: ['text/markdown'], endings: ['md', 'markdown', 'mdx', 'qmd', 'rmd'] },
  html: { name: 'HTML', media: ['text/html', 'application/xhtml+xml'], endings: ['html', 'htm', 'xhtml'] },
  pdf: { name: 'PDF', media: ['application/pdf'], endings: ['pdf'] },
  docx: {
    name: 'Word (.docx)',
    media: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    endings: ['docx', 'docm'],
  },
  pptx: {
    name: 'PowerPoint (.pptx)',
    media: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
    endings: ['pptx', 'pptm'],
  },
  xlsx: { name: 'Excel (.xlsx)', media: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'], endings: ['xlsx', 'xlsm'] },
  epub: { name: 'EPUB', media: ['application/epub+zip'], endings: ['epub'] },
  csv: { name: 'CSV', media: ['text/csv', 'text/tab-separated-values'], endings: ['csv', 'tsv'] },
  json: { name: 'JSON', media: ['application/json'], endings: ['json'] },
  jsonl: { name: 'JSON lines', media: ['application/x-ndjson', 'application/jsonl'], endings: ['jsonl', 'ndjson'] },
  eml: { name: 'mail (.eml)', media: ['message/rfc822'], endings: ['eml'] },
  subtitles: { name: 'subtitles (.srt, .vtt)', media: ['text/vtt', 'application/x-subrip'], endings: ['vtt', 'srt'] },
  ipynb: { name: 'Jupyter notebook', media: ['application/x-ipynb+json'], endings: ['ipynb'] },
  code: {
    name: 'source code',
    media: ['text/x-source', 'text/javascript', 'text/css'],
    endings:
      'bash c cc clj cpp cs css dart ex go h hpp hs java jl js jsx kt lua mjs ml php pl proto py r rb rs scala sh sql swift toml ts tsx vue yaml yml zig'.split(
        ' ',
      ),
  },
  image: {
    name: 'picture',
    media: ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'],
    endings: ['png', 'jpg', 'jpeg', 'webp', 'svg'],
  },
  audio: {
    name: 'recording (MP3, WAV, M4A, Ogg, WebM, FLAC)',
    media: [
      ...['audio/mpeg', 'audio/mp3', 'audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave', 'audio/mp4', 'audio/m4a', 'audio/x-m4a'],
      ...['audio/ogg', 'audio/opus', 'audio/webm', 'audio/flac', 'audio/x-flac'],
    ],
    endings: ['mp3', 'wav', 'm4a', 'ogg', 'oga', 'opus', 'flac'],
  },
  video: {
    name: 'video (MP4, MOV, WebM, MKV)',
    media: ['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/webm', 'video/x-matroska', 'video/matroska'],
    endings: ['mp4', 'm4v', 'mov', 'webm', 'mkv'],
  },
} as const satisfies {
  readonly [type: string]: { readonly name: string; readonly media: readonly string[]; readonly endings: readonly string[] }
}

export type FileType = keyof typeof fileTypes

const NAMES = Object.keys(fileTypes) as FileType[]
const BY_MEDIA = new Map(NAMES.flatMap((type) => fileTypes[type].media.map((media): [string, FileType] => [media, type])))
const BY_ENDING = new Map(NAMES.flatMap((type) => fileTypes[type].endings.map((ending): [string, FileType] => [ending, type])))
/** The file's name says more than these. */
const VAGUE: ReadonlySet<string> = new Set(['', 'text/plain', 'application/octet-stream', 'application/zip', 'binary/octet-stream'])

/** `media`: without parameters. If it says little, the name decides. */
export function fileTypeOf(media: string, name = ''): FileType | undefined {
  const type = media.trim().toLowerCase()
  const byName = VAGUE.has(type) ? fileTypeByName(name) : undefined
  return byName ?? BY_MEDIA.get(type) ?? (/^text\/x-[a-z0-9.+-]+$/.test(type) ? 'code' : undefined)
}

export function fileTypeByName(name: string): FileType | undefined {
  return BY_ENDING.get(/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '')
}

const NAMED: { readonly [ending: string]: string } = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp', svg: 'image/svg+xml' },
  ...{ wav: 'audio/wav', m4a: 'audio/mp4', ogg: 'audio/ogg', oga: 'audio/ogg', opus: 'audio/ogg', flac: 'audio/flac' },
  ...{ m4v: 'video/x-m4v', mov: 'video/quicktime', webm: 'video/webm', mkv: 'video/x-matroska' },
}

/** The media type with which a file of this name is sent. */
export function mediaTypeByName(name: string): string | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (ending === 'srt') return 'application/x-subrip'
  if (ending === 'tsv') return 'text/tab-separated-values'
  if (Object.hasOwn(NAMED, ending)) return NAMED[ending]
  const type = BY_ENDING.get(ending)
  return type && fileTypes[type].media[0]
}
