/** The colour of each kind, from the style sheet, so that the drawing follows the theme. */

export interface Palette {
  readonly text: string
  readonly back: string
  readonly edge: string
  readonly faint: string
  readonly of: (kind: string) => string
}

export function palette(): Palette {
  const style = getComputedStyle(document.documentElement)
  const value = (name: string) => style.getPropertyValue(name).trim()
  const usual = value('--kind-other')
  return {
    text: value('--text'),
    back: value('--surface'),
    edge: value('--edge'),
    faint: value('--edge-faint'),
    of: (kind) => value(`--kind-${kind}`) || usual,
  }
}
