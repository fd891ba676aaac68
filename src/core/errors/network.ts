import { BaseError } from './base.ts'

/** A description of a network (spec file, network file, rehearsal descriptor) that cannot be used. */
export class NetworkError extends BaseError {
  constructor(code: string, shortMessage: string, options: ConstructorParameters<typeof BaseError>[2]) {
    super(`network.${code}`, shortMessage, options)
    this.name = 'NetworkError'
  }
}

/** The text is not even TOML or JSON. `source` names the file for people, `reason` is safe to draw. */
export function networkUnreadable(source: string, format: 'TOML' | 'JSON', reason: string): NetworkError {
  return new NetworkError('unreadable', `The ${source} is not ${format}.`, {
    details: [reason],
    nextSteps: [`Give a whole ${source}: fetch it again from where it is published.`],
  })
}

/** One field is missing or odd. All parts are safe to draw. */
export function networkField(
  source: string,
  fault: { path: string; expected: string; found: string },
): NetworkError {
  return new NetworkError('field', `The ${source} has a field that cannot be used: ${fault.path}.`, {
    details: [`field: ${fault.path}`, `found: ${fault.found}`, `expected: ${fault.expected}`],
    nextSteps: [
      `Correct ${fault.path} in the ${source}, or fetch the file again from where it is published.`,
    ],
  })
}

/** The description takes the name or the numbers of a network that is built in. */
export function networkClash(source: string, what: string): NetworkError {
  return new NetworkError(
    'clash',
    `The ${source} uses the name or the numbers of a built-in network, but describes another one.`,
    {
      details: [what],
      nextSteps: ['Choose the built-in network by its name, or correct the file.'],
    },
  )
}
