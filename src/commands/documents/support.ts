import { type Static, Type } from 'typebox'
import { Fields, Flag, List, Maybe, Name } from '../../core/base/format/shapes.ts'

/** A word of this program, or the numbers of a version; `other` for what this version has no word for. */
const Word = Maybe(Name)
/** A whole number; `other` for one that makes no sense. */
const Whole = Maybe(Type.Unsafe<number | 'other'>({ anyOf: [{ type: 'integer' }, { const: 'other' }] }))

/** What `report` tells of this computer: yes and no, numbers, and words of this program. */
const SUPPORT = {
  program: Fields({
    version: Word,
    language: Word,
    node: Word,
    openssl: Word,
    platform: Word,
    processor: Word,
    system: Word,
  }),
  terminal: Fields({
    isTerminal: Flag,
    columns: Whole,
    rows: Whole,
    term: Word,
    program: Word,
    tmux: Flag,
    ssh: Flag,
    colours: Word,
    screenReader: Flag,
    utf8: Flag,
  }),
  node: Maybe(
    Fields({
      fault: Word,
      network: Word,
      endpoints: List(
        Fields({
          role: Word,
          scheme: Word,
          place: Word,
          hasPath: Flag,
          sameServerAsExecution: Flag,
          client: Word,
          version: Word,
          fault: Word,
        }),
      ),
      checks: List(Fields({ step: Word, check: Word, level: Word })),
    }),
  ),
}

export const SupportShape = Fields(SUPPORT)
export type SupportFields = Static<typeof SupportShape>
