import { BaseError } from './base.ts'

/** The validator key file is not usable. Never says anything of the private key. */
export class KeyFileError extends BaseError {
  override name = 'KeyFileError'
}

const LOOK = "Look at priv_validator_key_file in the node's config.toml: it names the key file in use."

/** One field is missing or odd. `found` must not repeat a secret. */
export function badKeyField(problem: { field: string; found: string; expected: string }): KeyFileError {
  return new KeyFileError('key-file.bad-field', `The key file has no usable ${problem.field}.`, {
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: [LOOK],
  })
}

/** The text is not JSON. */
export function keyNotJson(characters: number): KeyFileError {
  return new KeyFileError('key-file.not-json', 'The key file is not complete JSON.', {
    details: [`found: ${characters} characters that do not parse`, 'expected: one JSON object'],
    nextSteps: [LOOK, 'Restore the key file from its backup.'],
  })
}

/** A key of another kind, most often ed25519. */
export function wrongKeyType(problem: { field: string; found: string; expected: string }): KeyFileError {
  const ed25519 = /ed25519/i.test(problem.found)
  const sentence = ed25519
    ? 'This is an ed25519 key. Validators of this network need a BLS12-381 key.'
    : 'This key is of a kind that this network does not use.'
  return new KeyFileError('key-file.wrong-type', sentence, {
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: ["Let the node's own init make a new key in a new home. This key cannot be converted.", LOOK],
  })
}

/** The private key is zero or not below the group order: no such key exists. */
export function scalarOutOfRange(): KeyFileError {
  return new KeyFileError('key-file.out-of-range', 'The private key in this file is not a possible one.', {
    details: ['field: priv_key.value', 'expected: a number from 1 to the group order minus 1'],
    nextSteps: ['Restore the key file from its backup, or let the node make a new key.'],
  })
}

/** A backup was named, and there is no key that it could be a copy of. */
export function noKeyToCompare(): BaseError {
  return new BaseError('doctor.no-key', 'There is no key to compare it with.', {
    nextSteps: ['Give the home that the node runs with: --home DIR.'],
  })
}
