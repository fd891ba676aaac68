import { spawnSync } from 'node:child_process'

/** The files that differ from the last commit, new ones too, from the root; undefined where no git answers. */
export function changedFiles(root: string): string[] | undefined {
  const changed = git(root, 'diff', '--name-only', '--relative', '--diff-filter=d', '-z', 'HEAD')
  const added = git(root, 'ls-files', '--others', '--exclude-standard', '-z')
  return changed === undefined || added === undefined ? undefined : [...changed, ...added].sort()
}

function git(root: string, ...args: string[]): string[] | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.split('\0').filter((path) => path !== '') : undefined
}
