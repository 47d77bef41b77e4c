/** Starts a runner. Production refuses an existing instance id, the local runtime does not; either way that runner has been started. */

/** The part of a Workflow's binding that is used here. */
interface WorkflowLike {
  create(options: { readonly id: string; readonly params: { readonly uid: string } }): Promise<unknown>
}

export async function startInstance(workflow: WorkflowLike, id: string, uid: string): Promise<void> {
  try {
    await workflow.create({ id, params: { uid } })
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    if (!/instance\.already_exists/.test(message)) throw error
  }
}
