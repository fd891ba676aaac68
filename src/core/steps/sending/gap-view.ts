import type { Problem } from '../view.ts'
import { mktxCommand, WALLET_FLAGS } from './outside.ts'
import { mayHaveLeft, mayRelease } from './phases.ts'
import { dearest, replacementOf } from './replace.ts'
import type { SendState } from './state.ts'

/** A payment that sleeps, as the nonces before its own are not used; undefined for any other. */
export function gapProblem(state: SendState): Problem | undefined {
  const { prepared, gapFrom, hash } = state
  if (prepared === undefined || gapFrom === undefined) return undefined
  const { nonce } = prepared.transaction
  const isOut = mayHaveLeft(state)
  const last = nonce - 1
  const between = last === gapFrom ? `nonce ${gapFrom} is` : `the nonces ${gapFrom} to ${last} are`
  return {
    title: `The nonce of this payment is ${nonce}, and the account is at ${gapFrom}: it is too high.`,
    money: isOut ? 'unknown' : 'untouched',
    values: hash === undefined ? [] : [{ label: 'transaction', value: hash }],
    lines: [
      'An endpoint named the wrong nonce when the payment was made. Every endpoint says otherwise now.',
      `The chain takes nonces in order: the payment waits until ${between} used. Then it is sent, and counts once.`,
    ],
    next: [
      `use nonce ${gapFrom} for an empty transfer to your own account: c shows the command that signs it`,
      ...(isOut
        ? ['x has the payment cancelled when its turn comes']
        : [`${keyOf(state)} abandons the payment`]),
    ],
  }
}

const keyOf = (state: SendState): string => (mayRelease(state) ? 'g' : 'o')

/** The command that signs an empty transfer with the first nonce that is missing. It sends nothing. */
export function gapCommands(state: SendState): string[] {
  const { prepared, gapFrom } = state
  const empty = replacementOf(state, 'cancel', dearest(state))
  if (prepared === undefined || gapFrom === undefined || empty === undefined) return []
  return [mktxCommand({ ...empty, nonce: gapFrom }, prepared.from, WALLET_FLAGS[0])]
}
