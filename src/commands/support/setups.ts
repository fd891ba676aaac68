import { rememberedSetups } from '../../compose/settings.ts'
import { isLoopbackUrl, isSameServer, parseEndpointUrl } from '../../core/base/format/endpoint-url.ts'
import type { Endpoints } from '../../core/chain/network/network.ts'
import { type ReportFacts, wordOf } from './closed.ts'
import { networkWord } from './words.ts'

export const ROLES = [
  'execution',
  'secondExecution',
  'node',
  'engine',
] as const satisfies readonly (keyof Endpoints)[]
export const role = wordOf(ROLES)
const scheme = wordOf(['http', 'https'])
const where = wordOf(['this-computer', 'private-network', 'elsewhere'])

/** What is remembered for each network or validator: which parts are given, and of each endpoint what kind of place it is. */
export function setupFacts(stateDirectory: string): ReportFacts {
  return rememberedSetups(stateDirectory).map(({ network, ...setup }) => ({
    network: networkWord(network),
    home: isGiven(setup.homePath),
    validator: isGiven(setup.validator),
    keyElsewhere: isGiven(setup.pubkey),
    keystore: isGiven(setup.keystore),
    endpoints: endpointFacts(setup),
  }))
}

const isGiven = (text: string | undefined): boolean => (text ?? '') !== ''

/** Of each endpoint its role and the kind of its address: nothing of the address itself. */
export function endpointFacts(endpoints: Partial<Endpoints>): ReportFacts {
  const { execution = '' } = endpoints
  return ROLES.flatMap((each) => {
    const text = endpoints[each] ?? ''
    const url = parseEndpointUrl(text)
    if (url === undefined) return []
    return {
      role: role(each),
      scheme: scheme(url.protocol.slice(0, -1)),
      place: where(placeOf(text, url)),
      hasPath: url.pathname !== '/' || url.search !== '',
      sameServerAsExecution: each !== 'execution' && isSameServer(text, execution),
    }
  })
}

const PRIVATE =
  /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^\[f[cde]/

function placeOf(text: string, { hostname }: URL): string {
  if (isLoopbackUrl(text)) return 'this-computer'
  const isName = !/[.:]/.test(hostname) || /\.(?:local|lan|internal|home\.arpa)$/.test(hostname)
  return isName || PRIVATE.test(hostname) ? 'private-network' : 'elsewhere'
}
