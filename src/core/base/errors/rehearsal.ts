import { again, back, decides, KEY } from '../format/next.ts'
import { BaseError, errorsOf } from './base.ts'

/** The rehearsal network of a wizard did not start, ended, or is another one. It is play money. */
export const rehearsalError = errorsOf(BaseError, {
  /** A genesis file, a spec file or an option does not let a rehearsal network start. */
  'devnet.refused': (short: string, details: readonly string[] = []) => ({
    short,
    details,
    next: ['Correct what is named above and start the rehearsal network again.'],
  }),
  /** The rehearsal network of a registration does not answer. */
  'rehearsal.ended': (folder: string) => ({
    short: 'Your rehearsal network does not answer: it has ended, or it hangs.',
    details: [
      `folder: ${folder}`,
      'It ends by itself after ten minutes without a question, and with this computer; its play money with it.',
      'Its key is worth nothing on any other network. A new network has another key.',
    ],
    next: [
      again`${KEY} tries again, where this computer was busy or asleep`,
      decides('n')`${KEY} begins a new rehearsal: new key, new play money`,
      back`${KEY} goes back and begins nothing`,
    ],
  }),
  /** A rehearsal as on mainnet runs, and its form was left before its addresses were accepted. */
  'rehearsal.not-typed': (folder: string) => ({
    short: 'The addresses of this rehearsal were never typed.',
    details: [`folder: ${folder}`, 'They were shown once, to be written down: it cannot be gone on with.'],
    next: ['begin another rehearsal as on mainnet'],
  }),
  /** Nothing listens any more at the addresses of the rehearsal network that a wizard is attached to. */
  'rehearsal.gone': {
    short: 'The rehearsal network has ended.',
    details: [
      'Nothing listens at its addresses any more.',
      'Its play money and its key end with it: nothing of value is lost.',
    ],
    next: [decides('q')`${KEY} quits; start Bearings again and begin a new rehearsal with n`],
  },
  /** A rehearsal network does not do what its user wishes of it: another key, another pace. */
  'rehearsal.wish': (why: string) => ({
    short: 'The rehearsal network does not do that.',
    details: [`its reply: ${why}`],
    next: ['begin a new rehearsal'],
  }),
  /** The process of a rehearsal network ended, or did not say that it is ready. `why` must be safe to draw. */
  'rehearsal.not-started': (why: readonly string[], logPath: string, cause: unknown) => ({
    short: 'The rehearsal network did not start.',
    cause,
    details: why,
    next: [`read ${logPath}`, 'try again'],
  }),
})
