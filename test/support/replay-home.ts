import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordedFile } from './replay-recording.ts'

const EXAMPLE = join(import.meta.dirname, '../vectors/home-example')

/**
 * The recorded node's home at `directory`: its configuration with the node API on and the network's own genesis
 * file, or the `genesisJson` given. Its key file and the state of the key are empty: what they hold is made up.
 */
export function writeReplayHome(directory: string, genesisJson = recordedFile('genesis.json')): string {
  const home = join(directory, 'home')
  cpSync(EXAMPLE, home, { recursive: true })
  mkdirSync(join(home, 'data'), { recursive: true })
  const app = join(home, 'config/app.toml')
  writeFileSync(app, readFileSync(app, 'utf8').replace('enabled = "false"', 'enabled = "true"'))
  writeFileSync(join(home, 'config/genesis.json'), genesisJson)
  writeFileSync(join(home, 'config/priv_validator_key.json'), '', { mode: 0o600 })
  writeFileSync(join(home, 'data/priv_validator_state.json'), '{}', { mode: 0o600 })
  return home
}
