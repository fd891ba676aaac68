import { api } from '../../src/commands/api.ts'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { verify } from '../../src/commands/verify.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'

export type Asking = { command: (input: CommandInput) => Promise<ExitCode>; argv: readonly string[] }

/** One that runs for years, and the key of the home, for which nothing was deposited yet. */
const registered = ({ devnet }: World) => validatorKey(devnet.descriptor.seed, 'genesis/3').pubkey
const unused = ({ devnet }: World) => validatorKey(devnet.descriptor.seed, 'fresh').pubkey

/**
 * Every command that asks endpoints, by what it is asked about; what it is about is made first, and four slots later it can
 * be asked.
 */
export const ASKING_COMMANDS: Readonly<Record<string, (world: World) => Promise<Asking>>> = {
  status: async (world) => ({ command: status, argv: ['--validator', registered(world)] }),
  'status of an index': async () => ({ command: status, argv: ['--validator', '3'] }),
  keys: async (world) => ({ command: keys, argv: ['--validator', registered(world)] }),
  'keys of an unused key': async (world) => ({ command: keys, argv: ['--validator', unused(world)] }),
  'topup-plan': async (world) => ({ command: topUpPlanCommand, argv: ['--validator', registered(world)] }),
  'topup-plan of an amount': async (world) => ({
    command: topUpPlanCommand,
    argv: ['--validator', registered(world), '--amount', '20000'],
  }),
  doctor: async () => ({ command: doctor, argv: [] }),
  genesis: async () => ({ command: genesis, argv: [] }),
  'verify of a transaction': async ({ devnet }) => {
    const { firstDeposit } = await userOf(devnet)
    return { command: verify, argv: [await firstDeposit(10_000n)] }
  },
  'verify of calldata': async ({ devnet }) => {
    const { firstDepositCalldata } = await userOf(devnet)
    return { command: verify, argv: [firstDepositCalldata(10_000n), '--amount', '10000'] }
  },
  'api of a proof': async () => ({
    command: api,
    argv: ['/bkit/v1/proof/validator_credentials/head/3', '--verify'],
  }),
  'api of a validator': async () => ({ command: api, argv: ['/eth/v1/beacon/states/head/validators/3'] }),
  'api of an operator': async (world) => ({ command: api, argv: ['getOperator', registered(world)] }),
  'api of the engine': async () => ({ command: api, argv: ['/status'] }),
}
