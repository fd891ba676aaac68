import type { HttpRequest } from '../../src/core/base/effects/effects.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import type { NetworkKind } from '../../src/core/chain/network/network.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import { validatorIsActive } from '../../src/core/steps/status/machine.ts'
import type { StepId } from '../../src/core/view/view.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import type { Event } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import type { Life } from './life.ts'
import { standOf } from './stand-of.ts'
import { until } from './two-machines.ts'
import type { LifeOptions, World } from './world.ts'

export type GivenValidator = {
  validator: NonNullable<Setup['validator']>
  /** The rules of real money: two execution endpoints, two anchors. */
  kind?: NetworkKind
  /** The engine of the network is asked as well. */
  withEngine?: boolean
  genesisPath?: string
}

/** Where the second execution endpoint is, by its name: the one of the network once more. */
export const SECOND = 'http://second.test'

/** A process for which the second execution endpoint is there. */
export function withSecondEndpoint(
  world: World,
  { mutate = (effects) => effects, ...life }: LifeOptions,
): Life {
  const { execution } = world.devnet.descriptor.urls
  return world.begin({
    ...life,
    mutate: (effects) => {
      const request = (asked: HttpRequest) =>
        effects.http.request(asked.url.startsWith(SECOND) ? { ...asked, url: execution } : asked)
      return mutate({ ...effects, http: { request } })
    },
  })
}

/** A session that was begun with nothing but the public key of a validator, and the endpoints. */
export async function sessionOfValidator(
  world: World,
  life: Life,
  { validator, kind, withEngine = false, genesisPath }: GivenValidator,
): Promise<Session> {
  const { homePath: _, endpoints, network, ...rest } = (await world.session(life)).setup
  const { engine } = endpoints
  return createSession(
    life.effects,
    {
      ...rest,
      network: { ...network, kind: kind ?? network.kind },
      validator,
      ...(genesisPath === undefined ? {} : { genesisPath }),
      endpoints: {
        execution: endpoints.execution,
        node: endpoints.node,
        ...(kind === 'real' ? { secondExecution: SECOND } : {}),
        ...(withEngine && engine !== undefined ? { engine } : {}),
      },
    },
    openAlarms,
  )
}

/** What the screen of a step shows. */
export const shown = (session: Session, step: StepId) => viewOf(step, session.getState(), session)

/** Begins, and waits until the identity step has said all that it says by itself. */
export async function askKey(session: Session): Promise<void> {
  await session.start()
  await until(session, ({ genesis, identity, journal }) => {
    return !genesis.asking && !identity.asking && journal.status !== 'closed'
  })
  await session.dispatch({ step: 'session', type: 'went', to: 'identity' })
  await until(session, ({ identity }) => !identity.asking)
}

/** Types the withdrawal address once it is asked for; resolves once it was taken or refused. */
export async function typeAddress(session: Session, text: string): Promise<void> {
  await until(session, () => shown(session, 'identity').fields.some(({ id }) => id === 'withdrawal'))
  const answered = new Promise<void>((resolve) => {
    session.subscribe((_, { type }) => {
      if (type === 'adopted' || type === 'addressRefused') resolve()
    })
  })
  await session.dispatch({ step: 'identity', type: 'addressTyped', text })
  await answered
}

/** Goes on from the adoption until the registration is proven. */
export async function proveAdopted(session: Session): Promise<void> {
  await session.dispatch({ step: 'session', type: 'went', to: 'confirm' })
  await until(session, () => session.facts().registration !== undefined)
}

/** Tops up with the amount that is proposed, or the given one in whole tokens, once the gate is open. */
export async function topUpAdopted(session: Session, amount?: string): Promise<void> {
  await agreeToTopUp(session, amount)
  await until(session, ({ topup }) => standOf(topup.send) === 'paid')
}

/** Types the word of such a top-up. */
export async function agreeToTopUp(session: Session, amount?: string): Promise<void> {
  const { setup } = session
  await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
  if (amount !== undefined) await session.dispatch({ step: 'topup', type: 'chosen', text: amount })
  await until(
    session,
    ({ topup }) => topup.snapshot.status === 'known' && gateIsOpen(topup.send.observed, setup),
  )
  const confirmed = confirmedNow(session)
  if (confirmed === undefined || !(await session.dispatch(confirmed)))
    throw new Error('the top-up could not be agreed to')
}

function confirmedNow(session: Session): Event | undefined {
  const { actions } = viewOf('topup', session.getState(), session)
  const does = actions.find(({ typed }) => typed !== undefined)?.does
  return Array.isArray(does) ? (does as readonly Event[])[0] : undefined
}

/** Watches the status until the validator is active. */
export async function watchUntilActive(session: Session): Promise<void> {
  await session.dispatch({ step: 'session', type: 'went', to: 'status' })
  await until(session, ({ status }) => validatorIsActive(status))
}
