import { ClientError, type ClientFault, type Service } from '../../src/core/base/errors/client.ts'

/** What is said of an endpoint that did this instead of answering. */
export function clientWords(fault: ClientFault, service: Service, endpoint: string): string {
  return new ClientError(fault, { service, endpoint, what: '' }).shortMessage
}
