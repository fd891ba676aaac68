import { HONEST } from './endpoint.ts'
import type { Schedule } from './schedule.ts'

/** Orders of events in which something went wrong once, as short as they can be. */
export const STORIES: readonly { name: string; schedule: Schedule }[] = [
  {
    name: 'a payment that every pool lost does not leave again once another account has paid for the key',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'keystore', liar: undefined, computers: 1, person: 'cancels' },
      actions: [
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'press', who: 0, offer: 'sign' },
        { do: 'slots', count: 2, empty: true },
        { do: 'forget', all: true },
        { do: 'by-hand', what: 'other-pays', same: false },
        { do: 'slots', count: 4, empty: false },
      ],
    },
  },
  {
    name: 'nothing of a payment that every pool lost leaves while the password of its cancellation is asked for',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'keystore', liar: undefined, computers: 1, person: 'cancels' },
      actions: [
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'press', who: 0, offer: 'sign' },
        { do: 'slots', count: 11, empty: true },
        { do: 'press', who: 0, offer: 'cancel' },
        { do: 'forget', all: true },
        { do: 'slots', count: 4, empty: true },
      ],
    },
  },
  {
    name: 'the same once the prompt is left, and after a restart',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'keystore', liar: undefined, computers: 1, person: 'cancels' },
      actions: [
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'press', who: 0, offer: 'sign' },
        { do: 'slots', count: 11, empty: true },
        { do: 'press', who: 0, offer: 'cancel' },
        { do: 'forget', all: true },
        { do: 'press', who: 0, offer: 'refuse' },
        { do: 'slots', count: 4, empty: true },
        { do: 'restart', who: 0 },
        { do: 'slots', count: 4, empty: true },
      ],
    },
  },
  {
    name: 'what was to be canceled leaves again by a word, and counts once',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'keystore', liar: undefined, computers: 1, person: 'cancels' },
      actions: [
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'press', who: 0, offer: 'sign' },
        { do: 'slots', count: 11, empty: true },
        { do: 'press', who: 0, offer: 'cancel' },
        { do: 'forget', all: true },
        { do: 'press', who: 0, offer: 'refuse' },
        { do: 'slots', count: 4, empty: true },
        { do: 'press', who: 0, offer: 'send-again' },
        { do: 'slots', count: 4, empty: false },
      ],
    },
  },
  {
    name: 'nothing of a payment leaves while a wallet elsewhere is to sign its cancellation',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'external', liar: undefined, computers: 1, person: 'cancels' },
      actions: [
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'press', who: 0, offer: 'import' },
        { do: 'slots', count: 11, empty: true },
        { do: 'press', who: 0, offer: 'cancel' },
        { do: 'forget', all: true },
        { do: 'slots', count: 4, empty: true },
      ],
    },
  },
  {
    name: 'a signed cancellation is not forgotten by a restart, though the payment was only ever seen in a pool',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'keystore', liar: undefined, computers: 2, person: 'cancels' },
      actions: [
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'any', who: 1, nth: 0 },
        { do: 'press', who: 1, offer: 'sign' },
        { do: 'press', who: 0, offer: 'sign' },
        { do: 'slots', count: 11, empty: true },
        { do: 'press', who: 0, offer: 'cancel' },
        { do: 'any', who: 0, nth: 0 },
        { do: 'restart', who: 0 },
      ],
    },
  },
  {
    name: 'a payment that only another signer sent, and whose block was orphaned, may be abandoned while another deposit is there',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'external', liar: undefined, computers: 1, person: 'abandons' },
      actions: [
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'by-hand', what: 'send-shown', same: false },
        { do: 'slots', count: 1, empty: false },
        { do: 'reorg', vanish: true },
        { do: 'by-hand', what: 'other-pays', same: false },
      ],
    },
  },
  {
    name: 'the same of a contract account',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'contract', liar: undefined, computers: 1, person: 'abandons' },
      actions: [
        { do: 'by-hand', what: 'pay', same: false },
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'slots', count: 1, empty: false },
        { do: 'reorg', vanish: true },
        { do: 'by-hand', what: 'other-pays', same: false },
      ],
    },
  },
  {
    name: 'the same once what was agreed to holds no more',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'contract', liar: undefined, computers: 1, person: 'abandons' },
      actions: [
        { do: 'any', who: 0, nth: 2 },
        { do: 'by-hand', what: 'send-shown', same: false },
        { do: 'slots', count: 2, empty: false },
        { do: 'by-hand', what: 'pay', same: false },
        { do: 'slots', count: 1, empty: false },
        { do: 'any', who: 0, nth: 5 },
        { do: 'reorg', vanish: true },
      ],
    },
  },
  {
    name: 'a nonce that is used in the newest block alone is not used for good: an abandoned draft may still happen',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'external', liar: undefined, computers: 1, person: 'abandons' },
      actions: [
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'by-hand', what: 'cancel', same: false },
        { do: 'by-hand', what: 'send-shown', same: false },
        { do: 'slots', count: 1, empty: false },
        { do: 'any', who: 0, nth: 1 },
      ],
    },
  },
  {
    name: 'a deposit of the account with an earlier nonce, in a later block than the draft’s, is not the payment',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'keystore', liar: undefined, computers: 1, person: 'cancels' },
      actions: [
        { do: 'by-hand', what: 'pay', same: false },
        { do: 'slots', count: 1, empty: false },
        { do: 'restart', who: 0 },
        { do: 'any', who: 0, nth: 2 },
        { do: 'any', who: 0, nth: 3 },
        { do: 'reorg', vanish: false },
        { do: 'by-hand', what: 'cancel', same: true },
      ],
    },
  },
  {
    name: 'the same where a wallet elsewhere signed',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'external', liar: undefined, computers: 2, person: 'cancels' },
      actions: [
        { do: 'press', who: 1, offer: 'agree' },
        { do: 'press', who: 1, offer: 'import' },
        { do: 'restart', who: 0 },
        { do: 'slots', count: 1, empty: false },
        { do: 'by-hand', what: 'cancel', same: false },
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'reorg', vanish: false },
      ],
    },
  },
  {
    name: 'a nonce below that of an abandoned draft leaves a way on',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'external', liar: undefined, computers: 1, person: 'cancels' },
      actions: [
        { do: 'by-hand', what: 'cancel', same: false },
        { do: 'slots', count: 1, empty: false },
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'reorg', vanish: true },
        { do: 'any', who: 0, nth: 1 },
      ],
    },
  },
  {
    name: 'a cancellation to be signed elsewhere is shown though another deposit is there',
    schedule: {
      setting: { kind: 'top-up', signedBy: 'external', liar: 0, computers: 1, person: 'cancels' },
      actions: [
        { do: 'by-hand', what: 'cancel', same: false },
        { do: 'slots', count: 1, empty: false },
        { do: 'any', who: 0, nth: 0 },
        { do: 'endpoint', at: 0, stance: { ...HONEST, lies: ['receipt-success'] } },
        { do: 'reorg', vanish: true },
        { do: 'any', who: 0, nth: 0 },
        { do: 'slots', count: 2, empty: false },
        { do: 'by-hand', what: 'other-pays', same: false },
      ],
    },
  },
  {
    name: 'the first byte does not leave where every endpoint says that the nonce is used, whatever one says of its pool',
    schedule: {
      setting: { kind: 'first', signedBy: 'external', liar: 0, computers: 1, person: 'cancels' },
      actions: [
        { do: 'press', who: 0, offer: 'agree' },
        { do: 'alone', lies: ['knows'] },
        { do: 'press', who: 0, offer: 'import' },
        { do: 'restart', who: 0 },
        { do: 'endpoint', at: 1, stance: HONEST },
        { do: 'by-hand', what: 'cancel', same: false },
        { do: 'slots', count: 1, empty: false },
      ],
    },
  },
  {
    name: 'an invented receipt brings no bytes to an endpoint that has another transaction with the nonce',
    schedule: {
      setting: { kind: 'first', signedBy: 'keystore', liar: 1, computers: 2, person: 'cancels' },
      actions: [
        { do: 'endpoint', at: 1, stance: { ...HONEST, lies: ['receipt-reverted'] } },
        { do: 'press', who: 1, offer: 'agree' },
        { do: 'press', who: 1, offer: 'sign' },
        { do: 'crash', who: 1, at: 'after-line', nth: 1 },
        { do: 'slots', count: 2, empty: false },
        { do: 'restart', who: 1 },
        { do: 'by-hand', what: 'cancel', same: false },
        { do: 'slots', count: 2, empty: false },
      ],
    },
  },
]
