import { BaseError, errorsOf, type OddField } from './base.ts'

const GET_FILE = "Put the network's published genesis.json into the config folder of the node's home."
const LOOK = "Look at priv_validator_key_file in the node's config.toml: it names the key file in use."

const ENCODINGS = {
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'utf-8-bom': 'UTF-8 with a byte-order mark',
}

/** A node home, its genesis file or its key file cannot be read for what it is. Never says anything of the private key. */
export const homeError = errorsOf(BaseError, {
  /** A file that every node home has is not there. */
  'home.missing': (home: string, file: string) => ({
    short: `The node home has no ${file}.`,
    details: [`home: ${home}`],
    next: [
      'Give the directory that the node runs with (its --home), or fetch the missing file for this network.',
    ],
  }),
  /** A file is not TOML. `reason` is safe to draw. */
  'home.unreadable': (home: string, file: string, reason: string) => ({
    short: `${file} of the node home is not TOML.`,
    details: [`home: ${home}`, `reason: ${reason}`],
    next: [`Correct ${file}; the node could not read it either.`],
  }),
  /** A field is missing or odd. All parts are safe to draw. */
  'home.field': (home: string, file: string, fault: { path: string; expected: string; found: string }) => ({
    short: `${file} of the node home has a field that cannot be used: ${fault.path}.`,
    details: [
      `home: ${home}`,
      `field: ${fault.path}`,
      `found: ${fault.found}`,
      `expected: ${fault.expected}`,
    ],
    next: [`Correct ${fault.path} in ${file}.`],
  }),
  /** A file that the node reads too is not stored as plain UTF-8. */
  'home.encoding': (file: string, encoding: keyof typeof ENCODINGS) => ({
    short: `${file} isn't stored as plain UTF-8, so the node can't read it.`,
    details: [
      `found: ${ENCODINGS[encoding]}, as tools on Windows write it`,
      'expected: UTF-8 without a byte-order mark',
    ],
    next: ['Copy the original file without opening it in an editor, or save it as UTF-8 without a BOM.'],
  }),
  /** One field of the genesis file is missing or odd. Texts must already be safe to draw. */
  'genesis-file.bad-field': (problem: OddField) => ({
    short: `genesis.json has no usable ${problem.field}.`,
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    next: [GET_FILE],
  }),
  /** The text is not JSON, most often cut off; `reason` is safe to draw. */
  'genesis-file.not-json': (reason: string) => ({
    short: 'genesis.json is not complete JSON.',
    details: [`found: ${reason}`, 'expected: one JSON object'],
    next: [GET_FILE],
  }),
  /** The file that `init` writes: no deposits, so no validators root of any network. */
  'genesis-file.no-deposits': {
    short: "genesis.json is the empty one that the node's init writes, not the network's.",
    details: [
      'field: app_state.beacon.deposits',
      'found: no deposit',
      'expected: the genesis deposits of the network',
    ],
    next: [GET_FILE],
  },
  /** The file is whole, but its deposits make another root than the network's. Roots in 0x hex. */
  'genesis-file.other-root': ({ found, expected }: { found: string; expected: string }) => ({
    short: 'genesis.json is not the one of this network.',
    details: [`its genesis validators root: ${found}`, `expected: ${expected}`],
    next: [GET_FILE],
  }),
  /** One field is missing or odd. `found` must not repeat a secret. */
  'key-file.bad-field': (problem: OddField) => ({
    short: `The key file has no usable ${problem.field}.`,
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    next: [LOOK],
  }),
  /** The text is not JSON. */
  'key-file.not-json': (characters: number) => ({
    short: 'The key file is not complete JSON.',
    details: [`found: ${characters} characters that do not parse`, 'expected: one JSON object'],
    next: [LOOK, 'Restore the key file from its backup.'],
  }),
  /** A key of another kind, most often ed25519. */
  'key-file.wrong-type': (problem: OddField) => {
    const ed25519 = /ed25519/i.test(problem.found)
    const sentence = ed25519
      ? 'This is an ed25519 key. Validators of this network need a BLS12-381 key.'
      : 'This key is of a kind that this network does not use.'
    return {
      short: sentence,
      details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
      next: ["Let the node's own init make a new key in a new home. This key cannot be converted.", LOOK],
    }
  },
  /** The private key is zero or not below the group order: no such key exists. */
  'key-file.out-of-range': {
    short: 'The private key in this file is not a possible one.',
    details: ['field: priv_key.value', 'expected: a number from 1 to the group order minus 1'],
    next: ['Restore the key file from its backup, or let the node make a new key.'],
  },
  /** A backup was named, and there is no key that it could be a copy of. */
  'doctor.no-key': {
    short: 'There is no key to compare it with.',
    next: ['Give the home that the node runs with: --home DIR.'],
  },
})
