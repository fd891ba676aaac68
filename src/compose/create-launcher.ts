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
import type { Endpoints, Network } from '../core/network/network.ts'
import type { Session } from '../core/session.ts'
import type { FormChoice, Launcher, NetworkChoice, SetupDraft } from '../hooks/launcher.tsx'
import { checkField } from './check-field.ts'
import { endpointsOfHome } from './endpoints-of-home.ts'
import { givenValidator } from './given-validator.ts'
import { lockDirectories } from './lock-directories.ts'
import type { NetworkSettings } from './settings.ts'
import { nodeDraft, validatorDraft } from './setup-drafts.ts'
import { firstUse, rehearsalFolders, startRehearsal } from './start-rehearsal.ts'

export type LauncherInput = {
  effects: Effects
  stateDirectory: string
  initial: NetworkChoice | undefined
  /** A registered validator that was named before any network. */
  validator?: string
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
  const openRehearsal: Launcher['openRehearsal'] = async (signal, { descriptor, validator } = {}) => {
    const { attachRehearsal, rehearsalAnswers } = await import('./attach-rehearsal.ts')
    const directory = join(stateDirectory, 'rehearsal')
    const last = rehearsalFolders(directory).at(-1)
    const asking = effectsUntil(effects, signal)
    const enter = async (folder: string, descriptorPath = join(folder, 'descriptor.json')) => {
      const journalDirectory = join(folder, 'journal')
      const places = { descriptorPath, journalDirectory, outputDirectory: folder }
      const setup = await attachRehearsal(asking, places)
      return begin(validator === undefined ? setup : await ofValidator(asking, setup, validator), signal)
    }
    if (descriptor !== undefined) return enter(stateDirectory, absolute(descriptor))
    const alive = last !== undefined && (await rehearsalAnswers(asking, join(last, 'descriptor.json')))
    if (alive) return enter(last)
    const started = await startRehearsal({ directory, signal, seed: randomUUID() })
    return firstUse(started, () => enter(started.folder))
  }
  return {
    initial: input.initial,
    ...(input.validator === undefined ? {} : { validator: input.validator }),
    openRehearsal,
    async draft(choice, homePath) {
      if (isRehearsal(choice)) return rehearsalDraft(choice.validator ?? '')
      const network = await networkOf(effects, choice)
      const { openSettings } = await import('./settings.ts')
      const saved = openSettings(stateDirectory).of(network.id)
      if (choice.validator !== undefined) return validatorDraft(network, saved, choice.validator)
      if (homePath === undefined || homePath === saved.homePath) return nodeDraft(network, saved)
      const named = await endpointsOfHome(effects, { network, homePath: absolute(homePath) })
      return nodeDraft(network, { ...saved, homePath, ...named })
    },
    check: checkField,
    async open(choice, values, signal) {
      if (isRehearsal(choice)) return openRehearsal(signal, { validator: values.validator ?? '' })
      const network = await networkOf(effects, choice)
      signal.throwIfAborted()
      const journalDirectory = join(stateDirectory, network.id)
      await claimDirectory(journalDirectory, input.tell)
      const { openSettings } = await import('./settings.ts')
      const settings = openSettings(stateDirectory)
      const { executionGenesisHash, pubkey } = settings.of(network.id)
      settings.remember(network.id, { ...settings.of(network.id), ...kept(values) })
      const { homePath, keystore = '', validator } = values
      const endpoints = endpointsIn(values)
      const setup: Setup = {
        network,
        ...(homePath === undefined ? {} : { homePath: absolute(homePath) }),
        ...(validator === undefined
          ? {}
          : { validator: await givenValidator(effects, { text: validator, node: endpoints.node, network }) }),
        ...(validator !== undefined && choice.kind === 'files'
          ? { genesisPath: absolute(choice.genesis) }
          : {}),
        endpoints,
        ...(keystore === '' ? {} : { keystore: absolute(keystore) }),
        journalDirectory,
        lockDirectories: await lockDirectories(process.env, process.platform),
        outputDirectory: process.cwd(),
        ...(isHex(executionGenesisHash, 32) ? { executionGenesisHash } : {}),
        ...(isHex(pubkey, 48) ? { suggestedPubkey: pubkey } : {}),
      }
      signal.throwIfAborted()
      const session = await begin(setup, signal)
      rememberFacts(session, (found) =>
        settings.remember(network.id, { ...settings.of(network.id), ...found }),
      )
      return session
    },
  }
}

type Values = Readonly<Record<string, string>>

function endpointsIn({ execution = '', node = '', engine = '', secondExecution = '' }: Values): Endpoints {
  return {
    execution,
    node,
    ...(engine === '' ? {} : { engine }),
    ...(secondExecution === '' ? {} : { secondExecution }),
  }
}

/** What is proposed at the next start: that no engine was given for a validator says nothing of the node's own. */
function kept({ engine, ...values }: Values): Values {
  return engine === undefined || engine === '' ? values : { ...values, engine }
}

const isRehearsal = (choice: NetworkChoice): boolean => choice.kind === 'network' && choice.id === 'rehearsal'

/** The form of a validator on the rehearsal network, whose addresses its descriptor has. */
async function rehearsalDraft(validator: string): Promise<SetupDraft> {
  return validatorDraft({ kind: 'rehearsal', label: 'the rehearsal network' }, {}, validator)
}

/** The setup of a rehearsal network for one of its validators: nothing of the node home is read. */
async function ofValidator(effects: Effects, setup: Setup, text: string): Promise<Setup> {
  const { homePath: _, ...rest } = setup
  const { network, endpoints } = setup
  return { ...rest, validator: await givenValidator(effects, { text, node: endpoints.node, network }) }
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
