import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordedTool } from './replay-recording.ts'

/** One run of the fake node tool: the `HOME` it was given, the home it worked in, and its arguments in a row. */
export type ToolCall = { userHome: string; home: string; args: string }

const PROGRAM = join(import.meta.dirname, 'fake-beacond-program.ts')
const CONFIG = join(import.meta.dirname, '../vectors/home-example/config')

/**
 * Puts a program called `beacond` into `directory` that behaves as the node tool does, its habits included: without
 * `--home` it works in `~/.beacond`, and whatever a home lacks it makes there, even for `help`. `calls` are its runs
 * until now.
 */
export function installFakeBeacond(directory: string): { calls: () => ToolCall[] } {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const log = join(directory, 'calls.txt')
  for (const { args, stdout } of recordedTool)
    if (args[0] === 'help') writeFileSync(join(directory, `help-${args[1] ?? ''}.txt`), stdout)
  const path = join(directory, 'beacond')
  writeFileSync(path, script(directory, log))
  chmodSync(path, 0o755)
  const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : [])
  return {
    calls: () =>
      lines().map((line) => {
        const [userHome = '', home = '', args = ''] = line.split('\t')
        return { userHome, home, args }
      }),
  }
}

const script = (directory: string, log: string): string => `#!/bin/sh
home="$HOME/.beacond"
before=
for word in "$@"; do
  [ "$before" = --home ] && home="$word"
  before="$word"
done
mkdir -p "$home/config" "$home/data"
for name in config.toml client.toml; do
  [ -e "$home/config/$name" ] || cp '${CONFIG}'/"$name" "$home/config/$name"
done
[ -e "$home/config/app.toml" ] || printf '[beacon-kit]\\nchain-spec = "mainnet"\\n' > "$home/config/app.toml"
printf '%s\\t%s\\t%s\\n' "$HOME" "$home" "$*" >> '${log}'
case "$1 $2" in
  'help --home') cat '${directory}/help-.txt' ;;
  'help deposit') cat '${directory}/help-deposit.txt' ;;
  *) exec '${process.execPath}' '${PROGRAM}' "$home" "$@" ;;
esac
`
