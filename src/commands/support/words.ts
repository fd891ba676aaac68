import { ATTACHED } from '../../compose/settings.ts'
import { PRESETS } from '../../core/chain/network/presets.ts'
import { errorFacts } from '../../core/view/observation.ts'
import { type ReportFacts, wordOf } from './closed.ts'
import { ERROR_CODES } from './codes.ts'

const OWN_FILE = 'own-file'
const NETWORKS = [...PRESETS.map(({ id }) => id), 'rehearsal', OWN_FILE]
const network = wordOf(NETWORKS)
/** Folders of the state directory, and a name in the settings, that are of rehearsals. */
const OF_REHEARSALS: readonly string[] = ['rehearsal', 'journal', ATTACHED]

function idWord(id: string): string {
  if (OF_REHEARSALS.includes(id)) return 'rehearsal'
  return PRESETS.some((preset) => preset.id === id) ? id : OWN_FILE
}

/** A network by what it is kept under: a built-in one by its name, `rehearsal`, or `own-file` for any other. */
export function networkWord(id: string): ReportFacts {
  return network(idWord(id))
}

/** Sorts by network, and not by a name that somebody gave. */
export function byNetwork(one: { network: string }, other: { network: string }): number {
  return NETWORKS.indexOf(idWord(one.network)) - NETWORKS.indexOf(idWord(other.network))
}

const code = wordOf(ERROR_CODES)

/** The code of whatever was thrown. */
export function codeOf(thrown: unknown): ReportFacts {
  return code(errorFacts(thrown).code)
}
