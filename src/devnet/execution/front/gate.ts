/** Something that can be shut and opened again; `passed` resolves at once while it is open, else when it opens. */
export type Gate = { shut: () => void; open: () => void; passed: () => Promise<void> }

/** A gate that is open. */
export function gate(): Gate {
  let waiting: (() => void)[] | undefined
  return {
    shut() {
      waiting ??= []
    },
    open() {
      const released = waiting ?? []
      waiting = undefined
      for (const release of released) release()
    },
    async passed() {
      while (waiting !== undefined) await new Promise<void>((release) => waiting?.push(release))
    },
  }
}
