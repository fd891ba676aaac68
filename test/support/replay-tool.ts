import type { Exec, ExecRequest, ExecResult } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import { madeUp } from './replay-made-up.ts'
import { recordedTool } from './replay-recording.ts'

/** What is printed instead of what was recorded; undefined for a tool that fails. */
export type ToolSays = Readonly<Record<string, string | undefined>>

/** The node tool playing its recorded runs; where they name a key, it is the one of the home, or of the engine. */
export function replayTool({
  key,
  engine,
  toolSays = {},
}: {
  key: Hex
  engine: Hex
  toolSays?: ToolSays
}): Exec {
  return {
    scratch: (use) => use('/nowhere/scratch'),
    async run({ args }) {
      const verb = args[args.indexOf('--home') - 1] ?? ''
      if (verb in toolSays) {
        const stdout = toolSays[verb]
        return { exitCode: stdout === undefined ? 1 : 0, stdout: stdout ?? '', stderr: 'Error: no' }
      }
      const played = playTool({ args })
      if (args[1] === 'validator-keys') return { ...played, stdout: keysOf(key) }
      if (args[0] !== 'status') return played
      return { ...played, stdout: played.stdout.replace(/"value":"[^"]+"/, `"value":"${engineKey(engine)}"`) }
    },
  }
}

/** The recorded run of the node tool that begins like this one. */
export function playTool({ args }: Pick<ExecRequest, 'args'>): ExecResult {
  const asked = verbOf(args.slice(0, args.indexOf('--home')))
  const run = recordedTool.find((row) => verbOf(row.args) === asked)
  if (run === undefined) throw new Error(`no run of ${args.join(' ')} was recorded`)
  return { exitCode: run.exit, stdout: run.stdout, stderr: run.stderr }
}

const verbOf = (args: readonly string[]): string => args.slice(0, 2).join(' ')

function keysOf(key: Hex): string {
  const blocks = [
    `Comet Address:\n${madeUp.keyFacts(key).address}\n`,
    `Comet Pubkey (Uncompressed Base64):\n${engineKey(key)}\n`,
    `Eth/Beacon Pubkey (Compressed 48-byte Hex):\n${key}\n`,
  ]
  return blocks.join('\n')
}
