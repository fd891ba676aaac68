import type { Exec, ExecRequest, ExecResult } from '../../src/core/effects/effects.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import { engineKey } from '../../src/core/identity/engine-key.ts'
import { madeUp } from './replay-made-up.ts'
import { recordedTool } from './replay-recording.ts'

/** The node tool playing its recorded runs; where they name a key, it is the one of the home, or of the engine. */
export function replayTool({ key, engine }: { key: Hex; engine: Hex }): Exec {
  return {
    scratch: (use) => use('/nowhere/scratch'),
    async run({ args }) {
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
