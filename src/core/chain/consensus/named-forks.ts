import type { Hex } from '../../base/format/hex.ts'

/** A fork of an execution client: when it begins, Unix seconds, and its checksum over all forks up to it (EIP-6122). */
export type NamedFork = { atSeconds: bigint; id: Hex | undefined }

/** The forks that an execution client names (EIP-7910). `none` where it knows of none, undefined where it does not say. */
export type NamedForks = {
  current: NamedFork
  next: NamedFork | 'none' | undefined
  last: NamedFork | 'none' | undefined
}

/** The forks that an execution endpoint names. `name` is its host and port. */
export type ForksOf = { name: string; forks: NamedForks }

/** Whether a client names a fork here. */
export const isFork = (fork: NamedFork | 'none' | undefined): fork is NamedFork =>
  fork !== undefined && fork !== 'none'

/** Returns all forks that a client names, each once: its next one is most often its last. */
export function namedForks({ current, next, last }: NamedForks): readonly NamedFork[] {
  const named = [current, next, last].filter(isFork)
  return named.filter(({ atSeconds }, at) => named.findIndex((fork) => fork.atSeconds === atSeconds) === at)
}
