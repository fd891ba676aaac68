import { BaseError } from './base.ts'

/** The rehearsal network of a registration does not run any more. */
export function rehearsalEnded(folder: string): BaseError {
  return new BaseError('rehearsal.ended', 'Your rehearsal network ended: its play money is gone with it.', {
    details: [
      `folder: ${folder}`,
      'It ends by itself after ten minutes without a question, and with this computer.',
      'Its key is worth nothing on any other network. A new network has another key.',
    ],
    nextSteps: ['n begins a new rehearsal: new key, new play money', 'Esc goes back and begins nothing'],
  })
}

/** The rehearsal network that runs is not the one that was asked for. */
export function otherScenario(found: string, asked: string): BaseError {
  return new BaseError('rehearsal.other-scenario', 'Another rehearsal network runs already.', {
    details: [`its scenario: ${found}`, `asked for: ${asked}`],
    nextSteps: ['g goes on with the network that runs', `n begins a new network with ${asked}, beside it`],
  })
}
