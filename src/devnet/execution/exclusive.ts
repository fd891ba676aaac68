/** Runs one task after the other, in the order in which they came, whatever becomes of those before. */
export type Exclusive = <T>(task: () => Promise<T>) => Promise<T>

/** A new queue of its own. */
export function exclusive(): Exclusive {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const turn = last.then(task, task)
    last = turn
    return turn
  }
}
