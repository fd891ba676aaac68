import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Effects } from '../core/effects/effects.ts'
import { BaseError } from '../core/errors/base.ts'
import { otherScenario, rehearsalEnded } from '../core/errors/devnet.ts'
import type { Setup } from '../core/facts.ts'
import { safeText } from '../core/format/text.ts'
import type { RehearsalChoice } from '../core/launch/choice.ts'
import { readDescriptor } from '../core/network/rehearsal.ts'
import type { Session } from '../core/session.ts'
import { attachRehearsal, rehearsalAnswers } from './attach-rehearsal.ts'
import { givenValidator } from './given-validator.ts'
import { absolute } from './network-choice.ts'
import { ownProgramOf, startedAs } from './own-command.ts'
import { ATTACHED } from './read-under-way.ts'
import { firstUse, rehearsalFolders, startRehearsal } from './start-rehearsal.ts'
import { stateDirectory as defaultStateDirectory } from './state-directory.ts'

type World = { effects: Effects; stateDirectory: string; signal: AbortSignal }
type Begin = (setup: Setup) => Promise<Session>

/**
 * Begins a session on a rehearsal network. A network that ended with something under way on it is never replaced by
 * itself: another one has another key. Throws `rehearsal.ended`, `rehearsal.other-scenario`, what the start or the
 * descriptor throws, or the reason of the signal.
 */
export async function rehearsalFor(world: World, choice: RehearsalChoice, begin: Begin): Promise<Session> {
  const { stateDirectory, effects, signal } = world
  const { which, scenario, validator } = choice
  const directory = join(stateDirectory, 'rehearsal')
  const enter = async (folder: string, descriptorPath = join(folder, 'descriptor.json')) => {
    const places = { descriptorPath, journalDirectory: join(folder, 'journal'), outputDirectory: folder }
    const attached = await attachRehearsal(effects, places)
    const defaultDirectory = defaultStateDirectory(process.env, process.platform)
    const begun = { choice, stateDirectory, defaultDirectory }
    const setup = { ...attached, own: ownProgramOf(attached, begun, startedAs(process)) }
    return begin(validator === undefined ? setup : await ofValidator(effects, setup, validator))
  }
  const start = async () => {
    const wanted = scenario === undefined ? {} : { scenario }
    const started = await startRehearsal({ directory, signal, seed: randomUUID(), ...wanted })
    return firstUse(started, () => enter(started.folder))
  }
  if (which === 'new') return start()
  if (typeof which === 'object' && 'descriptor' in which) {
    const descriptor = absolute(which.descriptor)
    await rememberAttached(stateDirectory, descriptor)
    return enter(stateDirectory, descriptor)
  }
  const folders = which === 'last' ? rehearsalFolders(directory) : [which.folder]
  const last = folders.at(-1)
  if (last === undefined) return start()
  const running = await runningOf(effects, scenario === undefined ? [last] : folders)
  const wanted = running.findLast((found) => scenario === undefined || found.scenario === scenario)
  if (wanted !== undefined) return enter(wanted.folder)
  const other = running.at(-1)
  if (other !== undefined) throw otherScenario(safeText(other.scenario, 40), scenario ?? '')
  if (which === 'last' && !hasJournal(last)) return start()
  throw rehearsalEnded(last)
}

/** The networks of these folders that still run, with their scenarios. */
async function runningOf(effects: Effects, folders: readonly string[]) {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const path = join(folder, 'descriptor.json')
      if (!(await rehearsalAnswers(effects, path))) return []
      const { scenario = 'unknown' } = readDescriptor(readFileSync(path, 'utf8'))
      return [{ folder, scenario }]
    }),
  )
  return found.flat()
}

/** The setup of a rehearsal network for one of its validators: nothing of the node home is read. */
async function ofValidator(effects: Effects, setup: Setup, text: string): Promise<Setup> {
  const { homePath: _, ...rest } = setup
  const { network, endpoints } = setup
  return { ...rest, validator: await givenValidator(effects, { text, node: endpoints.node, network }) }
}

function hasJournal(folder: string): boolean {
  const directory = join(folder, 'journal')
  return existsSync(directory) && readdirSync(directory).length > 0
}

/** For the first screen of the next start alone: where it cannot be kept, nothing is lost. */
async function rememberAttached(stateDirectory: string, descriptor: string): Promise<void> {
  const { openSettings } = await import('./settings.ts')
  try {
    openSettings(stateDirectory).remember(ATTACHED, { descriptor })
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
  }
}
