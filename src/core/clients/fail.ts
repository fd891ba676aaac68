import type { ClientError, ClientErrorParts, ClientFault } from '../errors/client.ts'

/** Makes the `ClientError` of the very question that is being asked; `said` as it came. */
export type Fail = (fault: ClientFault, parts?: Partial<ClientErrorParts>) => ClientError
