import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodeEffects } from '../../../src/core/base/effects/node.ts'
import { ClientError } from '../../../src/core/base/errors/client.ts'
import { getChainId } from '../../../src/core/clients/execution/chain.ts'
import { createExecutionClient } from '../../../src/core/clients/execution/client.ts'
import { noSigner } from '../../support/offline.ts'

const server = createServer((_, reply) => reply.end('{}'))

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))

test('an https address of a server without TLS is told as that, with the address to try', async () => {
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = createExecutionClient(createNodeEffects({ signer: noSigner }), `https://${place}`)
  const thrown: unknown = await getChainId(client).catch((fault: unknown) => fault)
  if (!(thrown instanceof ClientError)) throw new Error('it answered')
  expect(thrown.code).toBe('client.unusable')
  const parts = { service: 'execution RPC', endpoint: `https://${place}`, what: 'eth_chainId' } as const
  const { shortMessage } = new ClientError('unusable', { ...parts, unusable: { nextSteps: [] } })
  expect(thrown.shortMessage).toBe(shortMessage)
  expect(shortMessage).not.toBe(new ClientError('unusable', parts).shortMessage)
  expect(thrown.nextSteps).toEqual([`Try http://${place}.`])
})
