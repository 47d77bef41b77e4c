/** Kinds of sources, in words: the fields and explanations of each. */
import type { Source } from '../../../src/client/client'

type Kind = Source['kind']

interface Words {
  readonly name: string
  /** The label of its address. */
  readonly address: string
  readonly example: string
  readonly does: string
  readonly button: string
}

export const KINDS: { readonly [kind in Kind]: Words } = {
  page: {
    name: 'a page',
    address: 'Page',
    example: 'https://example.org/handbook',
    does: 'One page, one document.',
    button: 'Follow the page',
  },
  sitemap: {
    name: 'the pages of a sitemap',
    address: 'Sitemap',
    example: 'https://example.org/sitemap.xml',
    does: 'Every page the sitemap lists, nested sitemaps included.',
    button: 'Follow the sitemap',
  },
  feed: {
    name: 'a feed (RSS, Atom)',
    address: 'Feed',
    example: 'https://example.org/news.rss',
    does: 'Every item, as the page it links to or as the feed holds it. Items it no longer lists are kept.',
    button: 'Follow the feed',
  },
  github: {
    name: 'a GitHub repository',
    address: 'Repository',
    example: 'https://github.com/owner/name',
    does: 'Every file of its default branch that can be read. A private one needs a token.',
    button: 'Follow the repository',
  },
  notion: {
    name: 'a Notion workspace',
    address: 'Address',
    example: 'https://www.notion.so',
    does: 'Every page that is shared with your integration; or give the address of one database or page. It needs the integration’s secret.',
    button: 'Follow the workspace',
  },
  slack: {
    name: 'a Slack channel',
    address: 'Link of the channel',
    example: 'https://slack.com/archives/C0123456789',
    does: 'What is said in one channel, threads included, a document per day. It needs a bot token, and the bot in the channel.',
    button: 'Follow the channel',
  },
  r2: {
    name: 'an R2 bucket',
    address: 'Bucket, with a prefix',
    example: 'r2://documents/reports/',
    does: 'Every object that can be read, of a bucket that is bound to the deployment. It needs an admin key.',
    button: 'Follow the bucket',
  },
  s3: {
    name: 'an S3-compatible bucket',
    address: 'Endpoint, bucket and prefix',
    example: 'https://s3.eu-central-1.amazonaws.com/bucket/prefix/',
    does: 'Every object that can be read, with a key that may list the bucket and read its objects.',
    button: 'Follow the bucket',
  },
}

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[]
export const kindOf = (text: string): Kind => KIND_NAMES.find((one) => one === text) ?? 'page'
/** Items deleted there are deleted here, unless told otherwise. */
export const isBucket = (kind: Kind): boolean => kind === 'r2' || kind === 's3'
export const hasPaths = (kind: Kind): boolean => kind !== 'page' && kind !== 'notion' && kind !== 'slack'
