import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Signer } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { credentialsOf } from '../../src/core/chain/deposit/credentials.ts'
import { writeDepositFile } from '../../src/core/chain/deposit/deposit-file.ts'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import { acceptedPlan, type SignPlan } from '../../src/core/steps/sign/machine.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { Event, State } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { signWithPop } from './burn.ts'
import { startWorld, type World } from './world.ts'

export const SEED = 'split'
/** The key of the node. */
export const key = validatorKey(SEED, 'fresh')
/** Another key, which nobody here runs with. */
export const other = validatorKey('another', 'fresh').pubkey

/** The home's key is taken to another directory, and its node is told to ask a remote signer. */
function split(world: World): { keyFile: string } {
  const { home } = world.devnet.descriptor
  const vault = join(world.directory, 'vault')
  mkdirSync(vault, { mode: 0o700 })
  renameSync(join(home, 'config/priv_validator_key.json'), join(vault, 'key.json'))
  const config = join(home, 'config/config.toml')
  const text = readFileSync(config, 'utf8')
  writeFileSync(
    config,
    text.replace('priv_validator_laddr = ""', 'priv_validator_laddr = "tcp://10.0.0.9:26659"'),
  )
  return { keyFile: join(vault, 'key.json') }
}

/** A wallet machine that signs no deposits and reads no key, and a key machine that is only given a plan. */
export async function twoMachines() {
  const world = await startWorld({ seed: SEED })
  const { keyFile } = split(world)
  const asked: string[] = []
  let keyMachine: Signer | undefined
  const life = world.begin({
    mutate: (effects) => {
      keyMachine = effects.signer
      const refuse = async (verb: string) => {
        asked.push(verb)
        throw new Error(`the wallet machine has no key to ${verb} with`)
      }
      const signer: Signer = {
        ...effects.signer,
        inspect: () => refuse('inspect'),
        signDeposit: () => refuse('signDeposit'),
      }
      return { ...effects, signer }
    },
  })
  const session = await world.clock.flow(() => world.session(life))
  const { network } = session.setup
  const messageOf = (plan: SignPlan) => ({
    pubkey: key.pubkey,
    withdrawalCredentials: credentialsOf(plan.withdrawalAddress),
    amountGwei: plan.amountGwei,
    genesisValidatorsRoot: network.genesisValidatorsRoot,
    genesisForkVersion: network.genesisForkVersion,
  })
  const sign = async (plan: SignPlan, over: Partial<ReturnType<typeof messageOf>> = {}): Promise<Hex> => {
    const signer = keyMachine
    if (signer === undefined) throw new Error('the key machine is not there')
    const { keyTypePrefix } = network.names
    return world.clock.during(async () => {
      const { fileHash } = await signer.inspect({ keyFile, keyTypePrefix })
      const request = { ...messageOf(plan), ...over, keyFile, fileHash, keyTypePrefix }
      return (await signer.signDeposit(request)).signature
    })
  }
  const fileOf = (plan: SignPlan, signature: Hex, over: object = {}) => {
    const { id, executionChainId } = network
    const operator = plan.operator.toLowerCase() as Hex
    return writeDepositFile({
      ...messageOf(plan),
      network: id,
      executionChainId,
      operator,
      signature,
      ...over,
    })
  }
  const pop = (plan: SignPlan) => signWithPop(key.secretBase64, messageOf(plan), messageOf(plan))
  return { world, session, asked, sign, pop, fileOf }
}

export type Machines = Awaited<ReturnType<typeof twoMachines>>

/** Resolves once the state is so. */
export function until(session: Session, holds: (state: State) => boolean): Promise<void> {
  if (holds(session.getState())) return Promise.resolve()
  return new Promise((resolve) => {
    const end = session.subscribe((state) => {
      if (!holds(state)) return
      end()
      resolve()
    })
  })
}

/** The public key, typed in the identity step. */
export const typed = (text: string): Event => ({ step: 'identity', type: 'keyTyped', text })
/** What came from the key machine, given to the sign step. */
export const brought = (text: string): Event => ({ step: 'sign', type: 'imported', text })
/** What the screen of a step shows. */
export const view = (session: Session, step: 'identity' | 'sign') => viewOf(step, session.getState(), session)

/** A person who types the key when it is asked for and carries a signature over when there is a plan. */
export function carry(session: Session, bring: (plan: SignPlan) => Promise<string>): void {
  let carried = false
  session.subscribe(({ identity, sign }) => {
    if (view(session, 'identity').activeField === 'pubkey' && identity.typedKey === undefined)
      void session.dispatch(typed(engineKey(key.pubkey)))
    if (carried || sign.plan === undefined) return
    carried = true
    const { plan } = sign
    void bring(plan).then((text) => session.dispatch(brought(text)))
  })
}

/** Goes to the sign step and types all its fields; resolves to the plan they make. */
export async function planByHand(world: World, session: Session): Promise<SignPlan> {
  const challenged = new Promise<void>((resolve) => {
    session.subscribe((_, event) => event.type === 'challenged' && resolve())
  })
  await world.clock.flow(async () => {
    await session.dispatch({ step: 'session', type: 'went', to: 'sign' })
    await challenged
  })
  const address = session.setup.suggestedAddress ?? '0x'
  const { challengeOffset } = session.getState().sign
  const again = address.slice(2 + challengeOffset, 10 + challengeOffset)
  const answers = [
    ['withdrawal', address],
    ['withdrawalAgain', again],
    ['operator', address],
    ['operatorAgain', again],
    ['amount', '10000'],
  ] as const
  for (const [field, text] of answers)
    await session.dispatch({ step: 'sign', type: 'submitted', field, text })
  const plan = acceptedPlan(session.getState().sign)
  if (plan === undefined) throw new Error('the fields make no plan')
  return plan
}
