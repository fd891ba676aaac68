import { join } from 'node:path'
import type { Effects } from '../core/effects/effects.ts'
import { effectsUntil } from '../core/effects/effects-until.ts'
import { claimDirectory } from '../core/effects/node-claim.ts'
import type { Setup } from '../core/facts.ts'
import { isHex } from '../core/format/hex.ts'
import type { FormChoice, NetworkChoice, SetupDraft } from '../core/launch/choice.ts'
import type { Endpoints } from '../core/network/network.ts'
import type { Session } from '../core/session.ts'
import type { Launcher } from '../hooks/launcher.tsx'
import { checkField } from './check-field.ts'
import { givenValidator } from './given-validator.ts'
import { lockDirectories } from './lock-directories.ts'
import { completePath, foundKeystores, lookAtPath } from './look-at-path.ts'
import { absolute, networkOf } from './network-choice.ts'
import { ownProgramOf, startedAs } from './own-command.ts'
import { rememberSession } from './remember-session.ts'
import type { NetworkSettings } from './settings.ts'
import { endpointsOfHome, nodeDraft, validatorDraft } from './setup-drafts.ts'
import { stateDirectory as defaultStateDirectory } from './state-directory.ts'

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
  const openRehearsal: Launcher['openRehearsal'] = async (choice, signal) => {
    const { rehearsalFor } = await import('./rehearsal-for.ts')
    const asking = effectsUntil(effects, signal)
    return rehearsalFor({ effects: asking, stateDirectory, signal }, choice, (setup) => begin(setup, signal))
  }
  return {
    initial: input.initial,
    ...(input.validator === undefined ? {} : { validator: input.validator }),
    async underWay(options) {
      const { readUnderWay } = await import('./read-under-way.ts')
      return readUnderWay({ effects, stateDirectory }, options)
    },
    openRehearsal,
    async draft(choice, homePath) {
      if (isRehearsal(choice)) return rehearsalDraft(choice.validator ?? '')
      const network = await networkOf(effects, choice)
      const { openSettings } = await import('./settings.ts')
      const saved = openSettings(stateDirectory).of(network.id)
      const keystores = await foundKeystores(homePath ?? saved.homePath)
      if (choice.validator !== undefined)
        return validatorDraft(network, saved, { given: choice.validator, keystores })
      if (homePath === undefined || homePath === saved.homePath) return nodeDraft(network, saved, keystores)
      const named = await endpointsOfHome(effects, { network, homePath: absolute(homePath) })
      const { remembered: _, ...draft } = nodeDraft(network, { ...saved, homePath, ...named }, keystores)
      return draft
    },
    check: checkField,
    look: lookAtPath,
    complete: completePath,
    async open(choice, values, signal) {
      if (isRehearsal(choice)) {
        const { validator = '' } = values
        return openRehearsal({ kind: 'rehearsal', which: 'last', validator }, signal)
      }
      const network = await networkOf(effects, choice)
      signal.throwIfAborted()
      const journalDirectory = join(stateDirectory, network.id)
      await claimDirectory(journalDirectory, input.tell)
      const { openSettings } = await import('./settings.ts')
      const settings = openSettings(stateDirectory)
      const { executionGenesisHash, pubkey } = settings.of(network.id)
      settings.remember(network.id, { ...settings.of(network.id), ...kept(values), ...describedBy(choice) })
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
      const begun = {
        choice,
        stateDirectory,
        defaultDirectory: defaultStateDirectory(process.env, process.platform),
      }
      const own = ownProgramOf(setup, begun, startedAs(process))
      const session = await begin({ ...setup, own }, signal)
      rememberSession(session, { settings, values })
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
  return validatorDraft(
    { kind: 'rehearsal', label: 'the rehearsal network' },
    {},
    { given: validator, keystores: [] },
  )
}

/** What the network of a journal is read from at the next start. */
function describedBy(choice: FormChoice): NetworkSettings {
  if (choice.kind === 'file') return { networkFile: absolute(choice.path) }
  if (choice.kind === 'files') return { spec: absolute(choice.spec), genesis: absolute(choice.genesis) }
  return {}
}
