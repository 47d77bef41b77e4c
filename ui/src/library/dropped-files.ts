/** The dropped files, including those in folders, each with its path relative to the folder. */
const MOST = 5000 // files of one drop

/** The browser's information is gone after the event: entries are taken at once, folders read later. */
export function filesIn(transfer: DataTransfer | null): Promise<readonly File[]> {
  const entries = [...(transfer?.items ?? [])].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry())
  const files = [...(transfer?.files ?? [])]
  const folders = entries.filter((entry) => entry?.isDirectory)
  if (folders.length === 0) return Promise.resolve(files)
  return walk(entries.filter((entry) => entry !== null))
}

async function walk(entries: readonly FileSystemEntry[]): Promise<readonly File[]> {
  const found: File[] = []
  const open = [...entries]
  for (let entry = open.shift(); entry && found.length < MOST; entry = open.shift()) {
    if (entry.name.startsWith('.')) continue // from the system, or from a tool
    if (entry.isDirectory) open.push(...(await childrenOf(entry as FileSystemDirectoryEntry)))
    else found.push(await fileOf(entry as FileSystemFileEntry))
  }
  return found
}

/** A browser returns a hundred at a time. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

async function fileOf(entry: FileSystemFileEntry): Promise<File> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
  const path = entry.fullPath.replace(/^\//, '')
  // A chosen folder has this path; a dropped one leaves it empty.
  if (path !== file.name) Object.defineProperty(file, 'webkitRelativePath', { value: path })
  return file
}
