import type { KeepGuard, OpenAlarms } from '../observe/alarms.ts'
import type { CommandContext } from '../observe/context.ts'
import type { WithGuards } from '../pay/guard/book.ts'
import { holdOrWait } from '../pay/guard/hold-track.ts'
import { runConfirm } from '../steps/confirm/commands.ts'
import { runDeposit } from '../steps/deposit/commands.ts'
import { runGenesis } from '../steps/genesis/commands.ts'
import { runIdentity } from '../steps/identity/commands.ts'
import { runSign } from '../steps/sign/commands.ts'
import { runStatus } from '../steps/status/commands.ts'
import { runTopUp } from '../steps/topup/commands.ts'
import { tellGuards } from '../steps/topup/guard-commands.ts'
import type { Command, Event, State } from './state.ts'

/** Carries out one command in the world. What it finds comes back as events; what it throws is the session's. */
export async function runCommand(
  command: Command,
  context: CommandContext<Event> & { openAlarms: OpenAlarms } & WithGuards,
  getState: () => State,
): Promise<void> {
  switch (command.step) {
    case 'genesis':
      return runGenesis(context)
    case 'identity':
      return runIdentity(command, { ...context, getState: () => getState().identity })
    case 'sign':
      return runSign(command, { ...context, getState: () => getState().sign })
    case 'deposit':
      return runDeposit(command, context, () => getState().deposit)
    case 'confirm':
      return runConfirm(context, () => getState().confirm)
    case 'topup':
      return runTopUp(command, { ...context, getState: () => getState().topup })
    case 'status':
      return runStatus(
        command,
        {
          ...context,
          keepGuard: keeperOf(context),
          guardsSeen: () => getState().topup.guards?.guards ?? [],
        },
        () => getState().status,
      )
  }
}

/** Holds the guard of a validator with what a session has. */
function keeperOf(context: CommandContext<Event> & WithGuards): KeepGuard {
  return async (pubkey, tell) => {
    const book = context.guards()
    const nodes = [context.setup.endpoints.node]
    if (book === undefined) return
    await holdOrWait({ context: { ...context, book, nodes }, pubkey, tell })
    await tellGuards(context, book, { pubkey })
  }
}
