import { encodeFunctionData, parseAbi } from 'viem'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { PayingStep } from '../../src/core/pay/payment/payment.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import type { Event, State } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { CAST_IS_PACKAGED, castOf } from './cast.ts'
import type { Life } from './life.ts'
import { standOf } from './stand-of.ts'
import { userOf } from './user-of.ts'
import type { World } from './world.ts'

/** A transaction as the shown command names it, in the words of the signing library. */
export type Commanded = {
  type: 'eip1559'
  chainId: number
  nonce: number
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  value: bigint
  to: Hex
  data: Hex
}

/** How a wallet signs; the others are followed by a word that says which one. */
const BARE: readonly string[] = ['--ledger', '--trezor']
const WALLETS: readonly string[] = [...BARE, '--account', '--keystore']

/** Reads a shown `cast mktx` command as the wallet machine would; throws where a field is missing. */
export function readMktx(command: string): Commanded & { from: Hex; wallet: string } {
  const [program, verb, ...words] = command.split(' ')
  if (program !== 'cast' || verb !== 'mktx') throw new Error(`not cast mktx: ${command}`)
  const options = new Map<string, string>()
  let wallet = ''
  while (words[0]?.startsWith('--')) {
    const name = words.shift() ?? ''
    const value = BARE.includes(name) ? '' : (words.shift() ?? '')
    if (WALLETS.includes(name)) wallet = name
    else options.set(name, value)
  }
  const [to, signature, ...args] = words
  const functionName = 'deposit'
  const data: Hex =
    signature === undefined
      ? '0x'
      : encodeFunctionData({
          abi: parseAbi([`function ${signature.slice(1, -1)}`] as readonly string[]),
          functionName,
          args,
        })
  const number = (name: string): bigint => {
    const value = options.get(name)
    if (value === undefined || !/^\d+$/.test(value)) throw new Error(`${name} is ${value}`)
    return BigInt(value)
  }
  return {
    type: 'eip1559',
    chainId: Number(number('--chain')),
    nonce: Number(number('--nonce')),
    gas: number('--gas-limit'),
    maxFeePerGas: number('--gas-price'),
    maxPriorityFeePerGas: number('--priority-gas-price'),
    value: number('--value'),
    to: to as Hex,
    data,
    from: options.get('--from') as Hex,
    wallet,
  }
}

/** What the user does with a command: the text to paste, or nothing. Time stands still meanwhile. */
export type Carry = (handed: { step: PayingStep; command: string; sign: Sign }) => Promise<string | undefined>
/** Signs a command as it is shown, or a transaction that differs from it in some fields. */
type Sign = (over?: Partial<Commanded>) => Promise<Hex>

/** A session of a process whose setup names no keystore. */
export async function sessionWithoutKeystore(world: World, life: Life): Promise<Session> {
  const { setup } = await world.session(life)
  const { keystore: _, passwordDescriptor: __, ...rest } = setup
  return createSession(life.effects, rest, openAlarms)
}

/** Types the paying account where it is asked for, and carries each shown command once to the wallet and back. */
export async function carryCommands(world: World, session: Session, carry: Carry): Promise<void> {
  const { account } = await userOf(world.devnet)
  const carried = new Set<string>()
  const look = (state: State): void => {
    for (const step of ['deposit', 'topup'] as const) {
      const payment = step === 'deposit' ? state.deposit : state.topup.send
      const { ordinal } = payment
      // Far from any question there is nothing to draw.
      if (state.step !== step && standOf(payment) === 'open') continue
      const view = viewOf(step, state, session)
      if (state.step === step && view.activeField === 'sender') {
        void session.dispatch({ step, type: 'senderTyped', text: account.address })
      }
      const [command] = view.commands
      const name = `${step} ${ordinal} ${command}`
      if (!view.fields.some(({ id }) => id === 'signed') || command === undefined || carried.has(name))
        continue
      carried.add(name)
      void world.clock.during(async () => {
        const text = await carry({ step, command, sign: (over) => signShown(world, command, over) })
        if (text !== undefined) await session.dispatch({ step, type: 'imported', text } satisfies Event)
      })
    }
  }
  session.subscribe((state) => look(state))
}

/**
 * What the user's wallet machine signs for a shown command. The command as it stands goes to the real `cast`, where the
 * platform has its package; `cast` cannot be told to sign something else, so that is left to the signing library.
 */
export async function signShown(
  world: Pick<World, 'devnet' | 'directory'>,
  command: string,
  over?: Partial<Commanded>,
): Promise<Hex> {
  if (over === undefined && CAST_IS_PACKAGED) return castOf(world.devnet, world.directory).sign(command)
  const { account } = await userOf(world.devnet)
  const { from: _, wallet: __, ...transaction } = readMktx(command)
  return account.signTransaction({ ...transaction, ...over })
}
