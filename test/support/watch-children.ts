import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'

/** What was seen of the child processes of this one while some work ran. */
export type Seen = {
  samples: number
  /** Command lines and environments, NUL separated, as the system shows them to everyone on the machine. */
  texts: Set<string>
  /** Sockets other than stdin, stdout and stderr, of what runs once the shell before it is gone. */
  sockets: Set<string>
}

/** What a child is for a moment, before it becomes the program (`node-signer.ts`). */
const SHELL = attempt(() => realpathSync('/bin/sh'), '')

/**
 * Looks at all children of this process again and again until the work is done, and tells after each round what was
 * seen so far. Linux only; elsewhere blind.
 */
export async function watchChildren<Result>(
  work: Promise<Result>,
  tell: (seen: Seen) => unknown = () => undefined,
): Promise<{ result: Result; seen: Seen }> {
  const seen: Seen = { samples: 0, texts: new Set(), sockets: new Set() }
  let done = false
  const finished = work.finally(() => {
    done = true
  })
  while (!done) {
    for (const pid of childrenOf(process.pid)) look(pid, seen)
    tell(seen)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { result: await finished, seen }
}

/** Process ids of the children of a process. */
export function childrenOf(pid: number): string[] {
  return attempt(() => readdirSync(`/proc/${pid}/task`), []).flatMap((task) =>
    attempt(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean), []),
  )
}

function look(pid: string, seen: Seen): void {
  seen.samples += 1
  for (const name of ['cmdline', 'environ']) {
    seen.texts.add(attempt(() => readFileSync(`/proc/${pid}/${name}`, 'utf8'), ''))
  }
  // Its own stdout is a socket, of Node's making, and while the shell writes to a file it keeps that under a second
  // number. Read before the descriptors: what was the program by then stays it.
  if (attempt(() => readlinkSync(`/proc/${pid}/exe`), '') === SHELL) return
  for (const descriptor of attempt(() => readdirSync(`/proc/${pid}/fd`), [])) {
    const target = attempt(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`), '')
    if (target.startsWith('socket:') && Number(descriptor) > 2) seen.sockets.add(target)
  }
}

function attempt<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read()
  } catch {
    return otherwise
  }
}
