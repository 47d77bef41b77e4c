/** The id of a Slack channel, at the end of its address. */
export function channelOf(url: string): string {
  return /([CG][A-Z0-9]{6,20})\/?$/.exec(new URL(url).pathname)?.[1] ?? ''
}
