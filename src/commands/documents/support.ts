import { type Static, Type } from 'typebox'
import { Count, Fields, Flag, List, Maybe, Name, OneOf } from '../../core/base/format/shapes.ts'

/** A word of this program, or the numbers of a version; `other` for what this version has no word for. */
const Word = Maybe(Name)
/** A whole number; `other` for one that makes no sense. */
const Whole = Maybe(Type.Unsafe<number | 'other'>({ anyOf: [{ type: 'integer' }, { const: 'other' }] }))
const Openness = OneOf(['yes', 'perhaps', 'no'])

const Endpoints = List(
  Fields({ role: Word, scheme: Word, place: Word, hasPath: Flag, sameServerAsExecution: Flag }),
)

const Event = { event: Word, detail: Word, afterSeconds: Whole }

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
    memoryMiB: Whole,
  }),
  terminal: Fields({
    isTerminal: Flag,
    columns: Whole,
    rows: Whole,
    term: Word,
    program: Word,
    windowsTerminal: Flag,
    tmux: Flag,
    ssh: Flag,
    colours: Word,
    noColour: Flag,
    screenReader: Flag,
    locale: Word,
    utf8: Flag,
  }),
  setups: List(
    Fields({
      network: Word,
      home: Flag,
      validator: Flag,
      keyElsewhere: Flag,
      keystore: Flag,
      endpoints: Endpoints,
    }),
  ),
  journals: List(
    Fields({
      network: Word,
      openElsewhere: Openness,
      format: Whole,
      lines: Whole,
      stands: Word,
      payment: Word,
      fault: Word,
      faultLine: Whole,
      counts: List(Fields({ event: Word, times: Whole })),
      lastEvents: List(Fields(Event)),
    }),
  ),
  watches: List(
    Fields({
      network: Word,
      by: Word,
      openElsewhere: Openness,
      fault: Word,
      lookedSecondsAgo: Whole,
      told: Whole,
      validators: Whole,
      heads: List(
        Fields({ role: Word, sameForSeconds: Whole, behindForSeconds: Whole, farOffForSeconds: Whole }),
      ),
      alarms: List(
        Fields({
          alarm: Word,
          severity: Word,
          told: Whole,
          spells: Whole,
          acknowledged: Flag,
          forSeconds: Whole,
        }),
      ),
    }),
  ),
  outboxes: List(
    Fields({
      network: Word,
      fault: Word,
      channels: List(Fields({ waiting: Whole, held: Whole, dropped: Whole })),
    }),
  ),
  node: Maybe(
    Fields({
      fault: Word,
      network: Word,
      endpoints: Endpoints,
      software: List(Fields({ role: Word, client: Word, version: Word, fault: Word })),
      checks: List(Fields({ step: Word, check: Word, level: Word })),
    }),
  ),
  places: List(Fields({ place: Word, found: Count, files: Count, sizeKiB: Count })),
}

export const SupportShape = Fields(SUPPORT)
export type SupportFields = Static<typeof SupportShape>
