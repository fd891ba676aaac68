import { join } from 'node:path'
import type { Effects } from '../core/base/effects/effects.ts'
import { effectsUntil } from '../core/base/effects/effects-until.ts'
import { claimDirectory } from '../core/base/effects/node-claim.ts'
import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import { isHex } from '../core/base/format/hex.ts'
import type { Setup } from '../core/chain/facts.ts'
import type { Endpoints } from '../core/chain/network/network.ts'
import type { FormChoice, NetworkChoice, SetupDraft } from '../core/wizard/launch/choice.ts'
import type { Session } from '../core/wizard/session.ts'
import type { Launcher } from '../hooks/launcher.tsx'
import { openAlarms } from '../watch/keep-alarms.ts'
import { endpointsOfHome } from './endpoints-of-home.ts'
import { givenValidator } from './given-validator.ts'
import { lockDirectories } from './kept-places.ts'
import { checkField, networkOfChoice } from './network-choice.ts'
import { ownProgramOf, startedAs } from './own-command.ts'
import { checkPath, completePath, foundKeystores } from './paths.ts'
import { rememberSession } from './remember-session.ts'
import type { NetworkSettings } from './settings.ts'
import { nodeDraft, validatorDraft } from './setup-drafts.ts'
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

/** Returns the way from a choice to a session in the real world. */
export function createLauncher(input: LauncherInput): Launcher {
  const { effects, stateDirectory } = input
  const begin = async (setup: Setup, signal: AbortSignal): Promise<Session> => {
    const [{ createSession }, { attended }] = await Promise.all([
      import('../core/wizard/session.ts'),
      import('./attended-rehearsal.ts'),
    ])
    signal.throwIfAborted()
    const session = attended(createSession(effects, setup, openAlarms), effects)
    input.onSession(session)
    return session
  }
  const openRehearsal: Launcher['openRehearsal'] = async (choice, signal) => {
    const { rehearsalFor } = await import('./start-rehearsal.ts')
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
    async draft(choice, homePath, signal) {
      if (choice.kind === 'as-on-mainnet') {
        const { draftAsOnMainnet } = await import('./as-on-mainnet.ts')
        return draftAsOnMainnet({ effects, stateDirectory, signal }, choice, homePath)
      }
      if (isRehearsal(choice)) return rehearsalDraft(choice.validator ?? '')
      const network = await networkOfChoice(effects, choice)
      const { openSettings } = await import('./settings.ts')
      const settings = openSettings(stateDirectory)
      const saved = settings.of(network.id)
      const keystores = await foundKeystores(homePath ?? saved.homePath)
      if (choice.validator !== undefined)
        return validatorDraft(network, saved, { given: choice.validator, keystores })
      if (homePath === undefined) {
        const { offeredOnce } = await import('./as-on-mainnet.ts')
        return { ...nodeDraft(network, saved, keystores), ...offeredOnce(settings, network) }
      }
      if (homePath === saved.homePath) return nodeDraft(network, saved, keystores)
      const named = await endpointsOfHome(effects, { network, homePath: absolutePath(homePath) })
      const { remembered: _, ...draft } = nodeDraft(network, { ...saved, homePath, ...named }, keystores)
      return draft
    },
    check: checkField,
    async price({ choice, endpoints }, signal) {
      const network = await networkOfChoice(effects, choice)
      const [{ openSettings }, { priceOfPlace }] = await Promise.all([
        import('./settings.ts'),
        import('./price-of-place.ts'),
      ])
      const saved = openSettings(stateDirectory).of(network.id)
      const asked = endpoints ?? endpointsIn(saved)
      return priceOfPlace(effectsUntil(effects, signal), { network, endpoints: asked })
    },
    look: checkPath,
    complete: completePath,
    async open(choice, values, signal) {
      if (isRehearsal(choice)) {
        const { validator = '' } = values
        return openRehearsal({ kind: 'rehearsal', which: 'last', validator }, signal)
      }
      if (choice.kind === 'as-on-mainnet') {
        const { openTyped } = await import('./typed-rehearsal.ts')
        return openTyped(effects, choice, {
          values,
          open: (which) => openRehearsal({ kind: 'rehearsal', which }, signal),
        })
      }
      const network = await networkOfChoice(effects, choice)
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
        ...(homePath === undefined ? {} : { homePath: absolutePath(homePath) }),
        ...(validator === undefined
          ? {}
          : { validator: await givenValidator(effects, { text: validator, node: endpoints.node, network }) }),
        ...(validator !== undefined && choice.kind === 'files'
          ? { genesisPath: absolutePath(choice.genesis) }
          : {}),
        endpoints,
        ...(keystore === '' ? {} : { keystore: absolutePath(keystore) }),
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

type Values = Readonly<Partial<Record<string, string>>>

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
  if (choice.kind === 'file') return { networkFile: absolutePath(choice.path) }
  if (choice.kind === 'files')
    return { spec: absolutePath(choice.spec), genesis: absolutePath(choice.genesis) }
  return {}
}
