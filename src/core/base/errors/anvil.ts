import { BaseError } from './base.ts'

const INSTALL =
  'Install again (`npm ci` in a checkout) without `--omit=optional`, or put an `anvil` 1.7 or later on your PATH, or beside a single executable.'
const LEFT_OUT =
  'npm leaves it out with `--omit=optional`, and without a word where npm itself runs on an older Node than the package wants, whichever Node runs this program.'
const REAL = 'Everything but the rehearsal network works without it.'

/**
 * Neither an optional package nor the PATH has the program that the rehearsal network runs on. `machine` is the system
 * and the processor; `wanted` the package for them, if there is one.
 */
export function anvilMissing(place: {
  machine: string
  wanted: { name: string; version: string } | undefined
}): BaseError {
  const { machine, wanted } = place
  const foundry = 'Install Foundry (https://getfoundry.sh), so that `anvil` 1.7 or later is on your PATH.'
  const parts =
    wanted === undefined
      ? {
          details: [`No package brings one for ${machine}, and there is no \`anvil\` on the PATH.`],
          nextSteps: [foundry, REAL],
        }
      : {
          details: [`Looked for the package ${wanted.name} and for \`anvil\` on the PATH.`, LEFT_OUT],
          nextSteps: [
            `Install it beside the program: \`npm install ${wanted.name}@${wanted.version}\` in the directory where you installed the program, or with \`-g\` where you installed it so. In a checkout: \`npm ci\`.`,
            'Or put an `anvil` 1.7 or later on your PATH, or beside a single executable.',
            REAL,
          ],
        }
  return new BaseError(
    'anvil.missing',
    'The rehearsal network needs an execution client, and none is installed.',
    parts,
  )
}

/** The file is there, the loader or the C library that it names is not. */
export function anvilLoaderMissing(path: string, cause: unknown): BaseError {
  return new BaseError('anvil.loader', 'anvil is installed, but this system has no loader for it.', {
    details: [
      `Program: ${path}`,
      'It is built for glibc 2.35 or later; musl systems such as Alpine do not run it.',
    ],
    nextSteps: ['Use a system with glibc, or put an `anvil` built for this system on your PATH.', REAL],
    cause,
  })
}

/** The C library is older than the one that the program was built for. */
export function anvilLibraryTooOld(path: string): BaseError {
  return new BaseError(
    'anvil.library',
    'anvil is installed, but the C library of this system is too old for it.',
    {
      details: [`Program: ${path}`, 'It needs glibc 2.35 or later.'],
      nextSteps: ['Use a newer system, or put an `anvil` built for this one on your PATH.', REAL],
    },
  )
}

/** The file must not be executed by this user, or lies on a volume that allows no programs. */
export function anvilForbidden(path: string, cause: unknown): BaseError {
  return new BaseError('anvil.forbidden', 'anvil is installed, but this user may not run it.', {
    details: [`Program: ${path}`],
    nextSteps: ['Give it the right to run (`chmod +x`), or install it on a volume without `noexec`.', REAL],
    cause,
  })
}

/** The system does not know what to do with the file: another processor, or not a program at all. */
export function anvilWrongMachine(path: string, cause: unknown): BaseError {
  return new BaseError('anvil.machine', 'anvil is installed, but it is not a program for this machine.', {
    details: [`Program: ${path}`, 'The packaged one is for 64-bit Intel and AMD processors under Linux.'],
    nextSteps: ['Put an `anvil` built for this processor on your PATH.', REAL],
    cause,
  })
}

/** It runs, but not in a way that makes sense. `output` must be safe text. */
export function anvilUnusable(path: string, output: string, cause?: unknown): BaseError {
  return new BaseError('anvil.unusable', 'anvil is installed, but it does not run as it should.', {
    details: [`Program: ${path}`, `It said: "${output}"`],
    nextSteps: [INSTALL, REAL],
    cause,
  })
}

/** The client ended, or was not ready in time, before it served anything. `output` must be safe text. */
export function anvilNotReady(reason: string, output: string): BaseError {
  return new BaseError('anvil.notReady', 'The execution client of the rehearsal network did not start.', {
    details: [reason, `It said: "${output}"`],
    nextSteps: ['Start the rehearsal again. If a port was given, give another one.'],
    retryable: true,
  })
}

/** What answers is not the chain that was started, as when an older process holds the port. */
export function anvilForeignChain(found: string, expected: string): BaseError {
  return new BaseError('anvil.foreignChain', 'Another chain answers where the rehearsal network should be.', {
    details: [`First block found: ${found}`, `First block expected: ${expected}`],
    nextSteps: ['End the older process, or start the rehearsal on another port.'],
  })
}

/** The client ended in the middle, without having been told to. `output` must be safe text. */
export function anvilDied(how: string, output: string): BaseError {
  return new BaseError('anvil.died', 'The execution client of the rehearsal network ended by itself.', {
    details: [how, `Its last words: "${output}"`],
    nextSteps: ['Start the rehearsal network again; it goes on from its own record.'],
    retryable: true,
  })
}

/** The connection to the client broke, or its reply is not JSON-RPC. */
export function anvilUnreachable(method: string, cause: unknown): BaseError {
  return new BaseError(
    'anvil.unreachable',
    'The execution client of the rehearsal network does not answer.',
    {
      details: [`Call: ${method}`],
      nextSteps: ['Wait for the next look. If it stays so, start the rehearsal network again.'],
      retryable: true,
      cause,
    },
  )
}

/** A block was asked for that time or the order of blocks does not allow. */
export function slotRefused(field: string, found: string, expected: string): BaseError {
  return new BaseError('anvil.slotRefused', 'The rehearsal network cannot make this block.', {
    details: [`${field}: found ${found}, expected ${expected}`],
    nextSteps: ['Start the rehearsal network again.'],
  })
}

/** An error reply of the client, with its own code and data kept for whoever has to pass them on. */
export class RpcFailure extends BaseError {
  readonly rpcCode: number
  readonly data: unknown

  constructor(method: string, error: { code: number; message: string; data?: unknown }) {
    super('anvil.rpc', 'The execution client of the rehearsal network refused a call.', {
      details: [`Call: ${method}`, `It said: "${error.message}" (${error.code})`],
      nextSteps: ['Look at the reason that it gives. It is the reason that a real client would give.'],
    })
    this.name = 'RpcFailure'
    this.rpcCode = error.code
    this.data = error.data
  }
}
