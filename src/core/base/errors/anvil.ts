import { BaseError, errorsOf } from './base.ts'

const INSTALL =
  'Install again (`npm ci` in a checkout) without `--omit=optional`, or put an `anvil` 1.7 or later on your PATH, or beside a single executable.'

const LEFT_OUT =
  'npm leaves it out with `--omit=optional`, and without a word where npm itself runs on an older Node than the package wants, whichever Node runs this program.'

const REAL = 'Everything but the rehearsal network works without it.'

/** The execution client of the rehearsal network is missing, does not run or does not answer. */
export const anvilError = errorsOf(BaseError, {
  /**
   * Neither an optional package nor the PATH has the program that the rehearsal network runs on. `machine` is the system
   * and the processor; `wanted` the package for them, if there is one.
   */
  'anvil.missing': (place: { machine: string; wanted: { name: string; version: string } | undefined }) => {
    const { machine, wanted } = place
    const foundry = 'Install Foundry (https://getfoundry.sh), so that `anvil` 1.7 or later is on your PATH.'
    const parts =
      wanted === undefined
        ? {
            details: [`No package brings one for ${machine}, and there is no \`anvil\` on the PATH.`],
            next: [foundry, REAL],
          }
        : {
            details: [`Looked for the package ${wanted.name} and for \`anvil\` on the PATH.`, LEFT_OUT],
            next: [
              `Install it beside the program: \`npm install ${wanted.name}@${wanted.version}\` in the directory where you installed the program, or with \`-g\` where you installed it so. In a checkout: \`npm ci\`.`,
              'Or put an `anvil` 1.7 or later on your PATH, or beside a single executable.',
              REAL,
            ],
          }
    return {
      short: 'The rehearsal network needs an execution client, and none is installed.',
      ...parts,
    }
  },
  /** The file is there, the loader or the C library that it names is not. */
  'anvil.loader': (path: string, cause: unknown) => ({
    short: 'anvil is installed, but this system has no loader for it.',
    details: [
      `Program: ${path}`,
      'It is built for glibc 2.35 or later; musl systems such as Alpine do not run it.',
    ],
    next: ['Use a system with glibc, or put an `anvil` built for this system on your PATH.', REAL],
    cause,
  }),
  /** The C library is older than the one that the program was built for. */
  'anvil.library': (path: string) => ({
    short: 'anvil is installed, but the C library of this system is too old for it.',
    details: [`Program: ${path}`, 'It needs glibc 2.35 or later.'],
    next: ['Use a newer system, or put an `anvil` built for this one on your PATH.', REAL],
  }),
  /** The file must not be executed by this user, or lies on a volume that allows no programs. */
  'anvil.forbidden': (path: string, cause: unknown) => ({
    short: 'anvil is installed, but this user may not run it.',
    details: [`Program: ${path}`],
    next: ['Give it the right to run (`chmod +x`), or install it on a volume without `noexec`.', REAL],
    cause,
  }),
  /** The system does not know what to do with the file: another processor, or not a program at all. */
  'anvil.machine': (path: string, cause: unknown) => ({
    short: 'anvil is installed, but it is not a program for this machine.',
    details: [`Program: ${path}`, 'The packaged one is for 64-bit Intel and AMD processors under Linux.'],
    next: ['Put an `anvil` built for this processor on your PATH.', REAL],
    cause,
  }),
  /** It runs, but not in a way that makes sense. `output` must be safe text. */
  'anvil.unusable': (path: string, output: string, cause?: unknown) => ({
    short: 'anvil is installed, but it does not run as it should.',
    details: [`Program: ${path}`, `It said: "${output}"`],
    next: [INSTALL, REAL],
    cause,
  }),
  /** The client ended, or was not ready in time, before it served anything. `output` must be safe text. */
  'anvil.notReady': (reason: string, output: string) => ({
    short: 'The execution client of the rehearsal network did not start.',
    details: [reason, `It said: "${output}"`],
    next: ['Start the rehearsal again. If a port was given, give another one.'],
    retryable: true,
  }),
  /** What answers is not the chain that was started, as when an older process holds the port. */
  'anvil.foreignChain': (found: string, expected: string) => ({
    short: 'Another chain answers where the rehearsal network should be.',
    details: [`First block found: ${found}`, `First block expected: ${expected}`],
    next: ['End the older process, or start the rehearsal on another port.'],
  }),
  /** The client ended in the middle, without having been told to. `output` must be safe text. */
  'anvil.died': (how: string, output: string) => ({
    short: 'The execution client of the rehearsal network ended by itself.',
    details: [how, `Its last words: "${output}"`],
    next: ['Start the rehearsal network again; it goes on from its own record.'],
    retryable: true,
  }),
  /** The connection to the client broke, or its reply is not JSON-RPC. */
  'anvil.unreachable': (method: string, cause: unknown) => ({
    short: 'The execution client of the rehearsal network does not answer.',
    details: [`Call: ${method}`],
    next: ['Wait for the next look. If it stays so, start the rehearsal network again.'],
    retryable: true,
    cause,
  }),
  /** A block was asked for that time or the order of blocks does not allow. */
  'anvil.slotRefused': (field: string, found: string, expected: string) => ({
    short: 'The rehearsal network cannot make this block.',
    details: [`${field}: found ${found}, expected ${expected}`],
    next: ['Start the rehearsal network again.'],
  }),
})

/** An error reply of the client, with its own code and data kept for whoever has to pass them on. */
export class RpcFailure extends BaseError {
  readonly rpcCode: number
  readonly data: unknown

  constructor(method: string, error: { code: number; message: string; data?: unknown }) {
    super('anvil.rpc', {
      short: 'The execution client of the rehearsal network refused a call.',
      details: [`Call: ${method}`, `It said: "${error.message}" (${error.code})`],
      next: ['Look at the reason that it gives. It is the reason that a real client would give.'],
    })
    this.name = 'RpcFailure'
    this.rpcCode = error.code
    this.data = error.data
  }
}
