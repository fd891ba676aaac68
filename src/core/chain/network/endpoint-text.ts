import { endpointFault } from '../../base/format/endpoint-url.ts'
import { LOCAL_ENDPOINTS } from './presets.ts'

const TEXT = {
  address: (example: string) => `Write an http or https address, such as ${example}.`,
  credentials:
    'Leave the user name and password out: an address may be kept, and other programs can read a command line. Where the endpoint asks for them, use one with a key in its path, or a proxy on this computer that adds them.',
}

/** A host with its port, as the engine's `laddr` has it or without a scheme. */
const HOST_AND_PORT = /^(?:tcp:\/\/)?([A-Za-z0-9.[\]:-]{1,80}:\d{1,5})$/i

/**
 * Returns why a text isn't taken as the address of an endpoint, and what to write, undefined where it is taken. `name` is
 * that of the field or option: it decides which port the example has.
 */
export function endpointTextFault(
  name: string,
  typed: string,
): { is: 'no-address' | 'credentials'; next: string } | undefined {
  const is = endpointFault(typed)
  if (is === undefined) return undefined
  return { is, next: is === 'credentials' ? TEXT.credentials : TEXT.address(exampleFor(name, typed)) }
}

/** What was meant, where only the scheme is missing or the engine's own; else the address of a node on this computer. */
function exampleFor(name: string, typed: string): string {
  const [, place] = HOST_AND_PORT.exec(typed) ?? []
  const meant = `http://${place}`
  if (place !== undefined && endpointFault(meant) === undefined) return meant
  return LOCAL_ENDPOINTS[serviceOf(name)] ?? ''
}

function serviceOf(name: string): 'execution' | 'node' | 'engine' {
  switch (name) {
    case 'engine':
    case 'second-engine':
      return 'engine'
    case 'node':
      return 'node'
    default:
      return 'execution'
  }
}
