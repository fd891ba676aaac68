import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watch } from '../../src/commands/watch.ts'
import type { Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

const NOBODY = 'http://127.0.0.1:1'

/** A watch of the validator of an index, while its own node does not answer; which key it says it watches. */
async function watchFrom(otherSays: (key: string, reply: string) => string) {
  const world = await openWorld()
  const { descriptor } = world.devnet
  const { pubkey } = validatorKey(descriptor.seed, 'genesis/3')
  const mutate = (effects: Effects): Effects => {
    const request = async (asked: HttpRequest) => {
      const reply = await effects.http.request(asked)
      if (!asked.url.includes('/validators/3')) return reply
      const body = new TextEncoder().encode(otherSays(pubkey, new TextDecoder().decode(reply.body)))
      return { ...reply, body }
    }
    return { ...effects, http: { request } }
  }
  const life = world.begin({ mutate })
  const stop = new AbortController()
  const said: string[] = []
  const code = await world.clock.flow(() =>
    watch({
      argv: [
        '3=mine',
        '--devnet',
        join(world.directory, 'descriptor.json'),
        '--state',
        world.directory,
        '--node',
        `${NOBODY},${descriptor.urls.node}`,
      ],
      effects: life.effects,
      io: {
        out: () => undefined,
        err: (line) => {
          said.push(line)
          if (line.includes('Watching ')) stop.abort()
        },
        signal: stop.signal,
      },
      stateDirectory: world.directory,
      environment: { HOME: '/nowhere' },
    }),
  )
  return { code, said: said.join(' ') }
}

test('a watch by index begins beside an own node that is down, by the proof of another one', async () => {
  const { said } = await watchFrom((_, reply) => reply)
  expect(said).toContain('Watching mine (')
})

test('a key that the proof does not bear out is not watched', async () => {
  const { code, said } = await watchFrom((key, reply) =>
    reply.replaceAll(
      key,
      `0x${'97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'}`,
    ),
  )
  expect(said).toContain('127.0.0.1:1')
  expect(code).toBe(3)
})
