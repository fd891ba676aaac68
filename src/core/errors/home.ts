import { BaseError } from './base.ts'

export type HomeFault = 'missing' | 'unreadable' | 'field'

/** A node home that cannot be read for what it is. `file` is relative to the home. */
export class HomeError extends BaseError {
  readonly fault: HomeFault
  readonly file: string

  constructor(
    fault: HomeFault,
    file: string,
    sentence: string,
    parts: { details: string[]; next: string[] },
  ) {
    super(`home.${fault}`, sentence, { details: parts.details, nextSteps: parts.next })
    this.name = 'HomeError'
    this.fault = fault
    this.file = file
  }
}

/** A file that every node home has is not there. */
export function homeFileMissing(home: string, file: string): HomeError {
  return new HomeError('missing', file, `The node home has no ${file}.`, {
    details: [`home: ${home}`],
    next: [
      'Give the directory that the node runs with (its --home), or fetch the missing file for this network.',
    ],
  })
}

/** A file is not TOML. `reason` is safe to draw. */
export function homeUnreadable(home: string, file: string, reason: string): HomeError {
  return new HomeError('unreadable', file, `${file} of the node home is not TOML.`, {
    details: [`home: ${home}`, `reason: ${reason}`],
    next: [`Correct ${file}; the node could not read it either.`],
  })
}

/** A field is missing or odd. All parts are safe to draw. */
export function homeField(
  home: string,
  file: string,
  fault: { path: string; expected: string; found: string },
): HomeError {
  return new HomeError(
    'field',
    file,
    `${file} of the node home has a field that cannot be used: ${fault.path}.`,
    {
      details: [
        `home: ${home}`,
        `field: ${fault.path}`,
        `found: ${fault.found}`,
        `expected: ${fault.expected}`,
      ],
      next: [`Correct ${fault.path} in ${file}.`],
    },
  )
}
