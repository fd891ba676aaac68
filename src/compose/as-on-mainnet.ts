import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Effects } from '../core/base/effects/effects.ts'
import { absolutePath } from '../core/base/effects/node-file-fault.ts'
import { readText } from '../core/base/format/file-text.ts'
import type { Network } from '../core/chain/network/network.ts'
import { MAINNET } from '../core/chain/network/presets.ts'
import { type Descriptor, rehearsalNetwork } from '../core/chain/network/rehearsal.ts'
import type { SetupDraft, SheetLine } from '../core/wizard/launch/choice.ts'
import { checksummed, runningRehearsal } from './attach-rehearsal.ts'
import { endpointsOfHome } from './endpoints-of-home.ts'
import type { NetworkSettings, Settings } from './settings.ts'
import { nodeDraft } from './setup-drafts.ts'
import { AS_ON_MAINNET, descriptorIn, keptTexts, type TypedChoice } from './typed-rehearsal.ts'

type Context = { effects: Effects; stateDirectory: string; signal?: AbortSignal | undefined }

/**
 * Returns the form of a rehearsal as on mainnet, and starts a network for it, unless one runs whose form was filled already.
 * The form proposes what the home of the network names; the rest is typed from the sheet that the network has written.
 * Throws what the start or a descriptor throws, or the reason of the signal.
 */
export async function draftAsOnMainnet(
  { effects, stateDirectory, signal = new AbortController().signal }: Context,
  { which }: TypedChoice,
  homePath: string | undefined,
): Promise<SetupDraft> {
  const directory = join(stateDirectory, 'rehearsal')
  if (typeof which === 'object')
    return draftOf(effects, which.folder, homePath === undefined ? {} : { homePath })
  if (which === 'last') {
    const running = await runningRehearsal(effects, directory, { scenario: AS_ON_MAINNET })
    const values = running?.differs === undefined ? await keptTexts(effects, running?.folder) : undefined
    if (running !== undefined && values !== undefined) return draftOf(effects, running.folder, values)
  }
  const { firstUse, startRehearsal } = await import('./start-rehearsal.ts')
  const started = await startRehearsal({ directory, scenario: AS_ON_MAINNET, seed: randomUUID(), signal })
  return firstUse(started, async () => {
    const draft = await draftOf(effects, started.folder, {})
    signal.throwIfAborted()
    const lines = await sheetOf(effects, await descriptorIn(effects, started.folder))
    return { ...draft, before: { is: 'sheet', lines } }
  })
}

async function draftOf(effects: Effects, folder: string, saved: NetworkSettings): Promise<SetupDraft> {
  const descriptor = await descriptorIn(effects, folder)
  const network = await networkIn(effects, descriptor)
  const { homePath } = saved
  const isNamed = homePath !== undefined && saved.execution === undefined
  const named = isNamed ? await endpointsOfHome(effects, { network, homePath: absolutePath(homePath) }) : {}
  const nothing = { execution: '', node: '', engine: '' }
  const blank = { ...network, defaultEndpoints: nothing, asOnMainnet: true as const }
  const draft = nodeDraft(blank, { ...BLANK_HOME, ...saved, ...named }, [], '')
  return { ...draft, choice: { kind: AS_ON_MAINNET, which: { folder } } }
}

/** No home is proposed. */
const BLANK_HOME = { homePath: '' }

/** Returns the offer to rehearse, before the first form of the mainnet on this computer. Does not throw. */
export function offeredOnce(settings: Settings, { id }: Network): Pick<SetupDraft, 'before'> {
  const saved = settings.of(id)
  if (id !== MAINNET.id || saved.homePath !== undefined || saved.rehearsalOffered !== undefined) return {}
  try {
    settings.remember(id, { ...saved, rehearsalOffered: 'yes' })
  } catch {
    // Where nothing can be kept it is offered again, and nothing else comes of it.
  }
  return { before: { is: 'offer' } }
}

async function networkIn(effects: Effects, descriptor: Descriptor) {
  return rehearsalNetwork(
    descriptor,
    await readText(effects, descriptor.spec ?? `${descriptor.home}/config/spec.toml`),
  )
}

async function sheetOf(effects: Effects, descriptor: Descriptor): Promise<SheetLine[]> {
  const { home, urls, second = '', keystore, withdrawalAddress, operator } = descriptor
  const { address } = await effects.signer.keystoreAddress({ keystore: keystore.path })
  const account = async (found: typeof address) => (found === undefined ? '' : checksummed(found))
  return [
    { id: 'homePath', value: home },
    { id: 'execution', value: urls.execution },
    { id: 'node', value: urls.node },
    { id: 'engine', value: urls.engine },
    { id: 'secondExecution', value: second },
    { id: 'keystore', value: keystore.path },
    { id: 'password', value: keystore.password },
    { id: 'payer', value: await account(address) },
    { id: 'withdrawal', value: await account(withdrawalAddress) },
    { id: 'operator', value: await account(operator) },
  ]
}
