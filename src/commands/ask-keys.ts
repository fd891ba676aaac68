import { getEngineStatus } from '../core/clients/engine/get-status.ts'
import type { NodeSetup } from '../core/facts.ts'
import { endpointName } from '../core/format/endpoint-url.ts'
import { compressedKey } from '../core/identity/engine-key.ts'
import { readHome } from '../core/identity/home.ts'
import { findNodeTool } from '../core/identity/run-tool.ts'
import { clientsOf } from '../core/steps/clients-of.ts'
import { askTool } from '../core/steps/identity/commands.ts'
import { identityTransition, initialIdentity } from '../core/steps/identity/machine.ts'
import type { IdentityAnswers, IdentityState } from '../core/steps/identity/state.ts'
import type { Observation } from '../core/steps/observation.ts'
import { observe } from '../core/steps/world.ts'
import type { Call } from './command.ts'
import { requireHome } from './require-home.ts'

/** What a home says whose key is not in it. */
const NO_KEY_HERE = { keyFile: '', remoteSigner: 'another machine', findings: [] }

/**
 * Asks the home, the key file (through the signer child), the node tool and the running engine which key this validator has. With
 * `typedKey`, the public key of a key on another machine, only the engine is asked; without `asksEngine` it is not.
 */
export async function askKeys(
  call: Call,
  setup: NodeSetup,
  { typedKey, asksEngine }: { typedKey?: string; asksEngine: boolean },
): Promise<IdentityState> {
  const { effects, io } = call
  const { network, homePath, endpoints } = setup
  const world = { effects, signal: io.signal }
  let state = initialIdentity
  const ask = <K extends keyof IdentityAnswers>(
    key: K,
    source: string,
    question: () => Promise<IdentityAnswers[K]>,
  ) =>
    observe(world, source, question, async (seen: Observation<IdentityAnswers[K]>) => {
      const event = { step: 'identity', type: 'observed', key, seen } as Parameters<
        typeof identityTransition
      >[1]
      const [next] = identityTransition(state, event)
      state = next
    })
  if (typedKey !== undefined) {
    await ask('home', 'you', async () => NO_KEY_HERE)
    const [typed] = identityTransition(state, { step: 'identity', type: 'keyTyped', text: typedKey })
    state = typed
  }
  const askEngine = () =>
    ask('engine', endpointName(endpoints.engine), async () => {
      const status = await getEngineStatus(clientsOf({ effects, setup }).engine)
      return { pubkey: compressedKey(status.publicKey.value), catchingUp: status.catchingUp && 'once' }
    })
  const askHome = async () => {
    const home = await ask('home', homePath, async () => {
      await requireHome(call, setup, '')
      const { keyFile, remoteSigner, findings } = await readHome(effects, { homePath, network })
      return { keyFile, remoteSigner, findings }
    })
    if (home === undefined || home.remoteSigner !== '') return
    const { keyFile } = home
    const { keyTypePrefix } = network.names
    const tool = await findNodeTool(effects, network.names.nodeTool)
    await Promise.all([
      askTool(tool, { home: homePath, keyIsHere: true }, (key, question, source) =>
        ask(key, source, question),
      ),
      ask('key', 'signer child', () => effects.signer.inspect({ keyFile, keyTypePrefix })),
      ask('permissions', 'this computer', async () => {
        const facts = await effects.files.facts(keyFile)
        return { mode: facts?.mode ?? 0, ownedByUser: facts?.ownedByUser ?? false }
      }),
    ])
  }
  await Promise.all([asksEngine ? askEngine() : undefined, typedKey === undefined ? askHome() : undefined])
  return state
}
