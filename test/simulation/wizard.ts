import { getAddress } from 'viem/utils'
import type { Setup } from '../../src/core/chain/facts.ts'
import { readGenesis } from '../../src/core/chain/identity/read-genesis.ts'
import { readDescriptor, rehearsalNetwork } from '../../src/core/chain/network/rehearsal.ts'
import { guardRows } from '../../src/core/observe/guard-rows.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { type Ground, HOME, URLS } from './network.ts'
import { beginProcess, type Process } from './process.ts'
import { type Manners, sitDown, type User } from './user.ts'
import { STATE, type World } from './world.ts'

const setups = new Map<Ground, Setup>()

/** What a wizard of real money is given in this world: two execution endpoints, a keystore, the home of the node. */
export function setupOf(ground: Ground): Setup {
  const known = setups.get(ground) ?? makeSetup(ground)
  setups.set(ground, known)
  return known
}

function makeSetup({ descriptor: text, genesisJson, plan }: Ground): Setup {
  const descriptor = readDescriptor(text)
  const { executionGenesisHash } = descriptor
  const network = rehearsalNetwork(descriptor, plan.specToml, readGenesis(genesisJson))
  const { execution, second, node, engine } = URLS
  return {
    network: { ...network, kind: 'real' },
    homePath: HOME,
    endpoints: { execution, node, engine, secondExecution: second },
    keystore: '/home/user/keystore.json',
    ...(executionGenesisHash === undefined ? {} : { executionGenesisHash }),
    journalDirectory: `${STATE}/rehearsal`,
    lockDirectories: ['/locks'],
    outputDirectory: '/home/user',
    suggestedAddress: getAddress(plan.user.address),
  }
}

/** A wizard that runs, with somebody at its desk. */
export type Wizard = { process: Process; session: Session; user: User }

const NO_SIGNATURE = '00'.repeat(96)

/** Why a journal may be refused while nothing is wrong with the disk. */
const HELD = ['journal.held']

/** Begins a wizard in a process of its own. */
export function beginWizard(world: World, name: string, manners: Manners): Wizard {
  const { story, judge } = world
  judge.checkFiles()
  const process = beginProcess(world, name)
  const session = createSession(process.effects, setupOf(world.ground), openAlarms)
  process.payment = (raw) => {
    const { deposit, topup } = session.getState()
    // Only a first deposit has a signature of the validator's key in it.
    return raw.includes(NO_SIGNATURE) ? `topup ${topup.send.ordinal}` : `deposit ${deposit.ordinal}`
  }
  session.subscribe((state, event) => {
    judge.told(name, session, state)
    if (event.step === 'session' && event.type === 'opened') {
      story.note(name, () => `opens its journal with ${event.history.length} events`)
      if (event.history.length > 0) story.reached('journal-resumed')
    }
    if (event.step === 'session' && event.type === 'refused') {
      const { code, shortMessage } = event.error
      story.note(name, () => `refuses: ${code} ${shortMessage}`)
      if (code.startsWith('file.')) story.reached('journal-poisoned')
      const isExcused = HELD.includes(code) || world.hadDiskTrouble
      if (!isExcused && /^(?:journal|file)\./.test(code)) judge.object('journal', `${code}: ${shortMessage}`)
    }
    if (event.type === 'guardTold' && event.failure !== undefined) {
      const { code, shortMessage, details } = event.failure
      story.note(name, () => `has no guard: ${code} ${shortMessage} ${details.join(' ')}`)
    }
    if (event.step === 'status' && event.type === 'guarded' && event.guard?.holder === 'here') {
      const rows = guardRows(event.guard, session.setup).filter(({ mark }) => mark === 'refused')
      const troubles = rows.map(({ value }) => value).join('\n')
      judge.ofGuard.holds(name, { troubles, isBlind: event.guard.troubles.includes('blind') })
    }
    if (event.type === 'orphaned') story.reached('payment-orphaned')
    if (event.type === 'held-back') story.reached('held-back')
    if (event.step === 'session' && event.type === 'faulted')
      judge.object('fault', `step ${event.at}: ${event.error.code} ${event.error.shortMessage}`)
  })
  const user = sitDown(world, process, session, {
    random: world.random.named(`user ${name} ${world.time.nowMs()}`),
    manners,
  })
  session.start().catch((thrown: unknown) => {
    if (!process.isDead()) judge.object('fault', `${name} did not start: ${String(thrown)}`)
  })
  return { process, session, user }
}
