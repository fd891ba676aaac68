import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Effects } from '../core/effects/effects.ts'
import { effectsUntil } from '../core/effects/effects-until.ts'
import { expandHome } from '../core/effects/expand-home.ts'
import { claimDirectory } from '../core/effects/node-claim.ts'
import { noSuchNetwork } from '../core/errors/usage.ts'
import type { Setup } from '../core/facts.ts'
import { isHex } from '../core/format/hex.ts'
import { safeText } from '../core/format/text.ts'
import type { Network } from '../core/network/network.ts'
import type { Session } from '../core/session.ts'
import type { FieldView } from '../core/steps/view.ts'
import type { FormChoice, Launcher, NetworkChoice, SetupDraft } from '../hooks/launcher.tsx'
import { checkField } from './check-field.ts'
import { endpointsOfHome } from './endpoints-of-home.ts'
import { lockDirectories } from './lock-directories.ts'
import type { NetworkSettings } from './settings.ts'
import { firstUse, rehearsalFolders, startRehearsal } from './start-rehearsal.ts'

export type LauncherInput = {
  effects: Effects
  stateDirectory: string
  initial: NetworkChoice | undefined
  onSession(session: Session): void
  /** Hears in a sentence what was put right on the disk. */
  tell(sentence: string): void
}

/** The way from a choice to a session in the real world. */
export function createLauncher(input: LauncherInput): Launcher {
  const { effects, stateDirectory } = input
  const begin = async (setup: Setup, signal: AbortSignal): Promise<Session> => {
    const { createSession } = await import('../core/session.ts')
    signal.throwIfAborted()
    const session = createSession(effects, setup)
    input.onSession(session)
    return session
  }
  return {
    initial: input.initial,
    async openRehearsal(signal, descriptor) {
      const { attachRehearsal, rehearsalAnswers } = await import('./attach-rehearsal.ts')
      const directory = join(stateDirectory, 'rehearsal')
      const last = rehearsalFolders(directory).at(-1)
      const asking = effectsUntil(effects, signal)
      const enter = async (folder: string, descriptorPath = join(folder, 'descriptor.json')) => {
        const journalDirectory = join(folder, 'journal')
        const places = { descriptorPath, journalDirectory, outputDirectory: folder }
        return begin(await attachRehearsal(asking, places), signal)
      }
      if (descriptor !== undefined) return enter(stateDirectory, absolute(descriptor))
      const alive = last !== undefined && (await rehearsalAnswers(asking, join(last, 'descriptor.json')))
      if (alive) return enter(last)
      const started = await startRehearsal({ directory, signal, seed: randomUUID() })
      return firstUse(started, () => enter(started.folder))
    },
    async draft(choice, homePath) {
      const network = await networkOf(effects, choice)
      const { openSettings } = await import('./settings.ts')
      const saved = openSettings(stateDirectory).of(network.id)
      if (homePath === undefined || homePath === saved.homePath) return draftFor(network, saved)
      const named = await endpointsOfHome(effects, { network, homePath: absolute(homePath) })
      return draftFor(network, { ...saved, homePath, ...named })
    },
    check: checkField,
    async open(choice, values, signal) {
      const network = await networkOf(effects, choice)
      signal.throwIfAborted()
      const journalDirectory = join(stateDirectory, network.id)
      await claimDirectory(journalDirectory, input.tell)
      const { openSettings } = await import('./settings.ts')
      const settings = openSettings(stateDirectory)
      const { executionGenesisHash, pubkey } = settings.of(network.id)
      settings.remember(network.id, { ...settings.of(network.id), ...values })
      const {
        homePath = '',
        execution = '',
        node = '',
        engine = '',
        secondExecution = '',
        keystore = '',
      } = values
      const endpoints = { execution, node, engine, ...(secondExecution === '' ? {} : { secondExecution }) }
      const setup: Setup = {
        network,
        homePath: absolute(homePath),
        endpoints,
        ...(keystore === '' ? {} : { keystore: absolute(keystore) }),
        journalDirectory,
        lockDirectories: await lockDirectories(process.env, process.platform),
        outputDirectory: process.cwd(),
        ...(isHex(executionGenesisHash, 32) ? { executionGenesisHash } : {}),
        ...(isHex(pubkey, 48) ? { suggestedPubkey: pubkey } : {}),
      }
      const session = await begin(setup, signal)
      rememberFacts(session, (found) =>
        settings.remember(network.id, { ...settings.of(network.id), ...found }),
      )
      return session
    },
  }
}

/** What is worth knowing at the next start: the first block once it is proven, and a typed key once it is. */
function rememberFacts(session: Session, remember: (found: NetworkSettings) => void): void {
  const forgetGenesis = session.subscribe(() => {
    const { genesis } = session.facts()
    if (genesis === undefined) return
    remember({ executionGenesisHash: genesis.executionGenesisHash })
    forgetGenesis()
  })
  const forgetKey = session.subscribe(() => {
    const { identity } = session.facts()
    if (identity === undefined) return
    if (identity.key.kind === 'elsewhere') remember({ pubkey: identity.pubkey })
    forgetKey()
  })
}

async function networkOf(effects: Effects, choice: FormChoice): Promise<Network> {
  const { MAINNET, BEPOLIA } = await import('../core/network/presets.ts')
  if (choice.kind === 'network') return choice.id === 'mainnet' ? MAINNET : BEPOLIA
  if (choice.kind === 'files') {
    const { networkOfFiles } = await import('./network-of-files.ts')
    return networkOfFiles(effects, { spec: absolute(choice.spec), genesis: absolute(choice.genesis) })
  }
  const { readNetworkFile } = await import('../core/network/network-file.ts')
  const path = absolute(choice.path)
  if ((await effects.files.facts(path)) === undefined) throw noSuchNetwork(safeText(choice.path, 120))
  const bytes = await effects.files.read(path, { maxBytes: 1024 * 1024 })
  return readNetworkFile(new TextDecoder().decode(bytes))
}

function absolute(path: string): string {
  return resolve(expandHome(path))
}

function draftFor(network: Network, saved: NetworkSettings): SetupDraft {
  const { defaultEndpoints, publicExecution, names } = network
  const home = saved.homePath ?? `~/.${names.nodeTool}`
  const field = (id: keyof NetworkSettings, label: string, hint: string, suggestion: string): FieldView => ({
    id,
    label,
    value: '',
    hint,
    suggestion: saved[id] ?? suggestion,
    explain: { what: hint, who: 'You.', later: 'Yes, by starting again.' },
  })
  const second = network.kind === 'real' ? 'needed for a top-up' : 'may be empty'
  return {
    badge: { kind: network.kind, label: network.label },
    title: `Your node for ${network.label}`,
    intro: 'The wizard reads the home and asks these addresses. Nothing is asked before you continue.',
    fields: [
      field('homePath', 'node home', 'the folder of the node; it is only read', home),
      field('execution', 'execution RPC', 'of your own execution client', defaultEndpoints.execution),
      field('node', 'node API', 'of your own node', defaultEndpoints.node),
      field('engine', 'engine RPC', 'of your own node', defaultEndpoints.engine),
      field('secondExecution', 'second execution', `of another operator, ${second}`, publicExecution ?? ''),
      field(
        'keystore',
        'keystore',
        'v3 file of the account that pays; empty: a wallet elsewhere signs',
        '~/.foundry/keystores/',
      ),
    ],
  }
}
