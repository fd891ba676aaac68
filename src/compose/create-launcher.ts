import { constants, type Dirent } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Effects } from '../core/base/effects/effects.ts'
import { effectsUntil } from '../core/base/effects/effects-until.ts'
import { absolutePath, isAbsent, systemCode } from '../core/base/effects/node-file-fault.ts'
import { isHex } from '../core/base/format/hex.ts'
import type { Setup } from '../core/chain/facts.ts'
import type { FormChoice, NetworkChoice, RehearsalChoice, SetupDraft } from '../core/wizard/launch/choice.ts'
import type { PathNotes } from '../core/wizard/launch/form.ts'
import type { Session } from '../core/wizard/session.ts'
import type { Completion, Launcher } from '../hooks/launch-loop.ts'
import { defaultHome, endpointsOfHome } from './endpoints-of-home.ts'
import { checkField, networkOfChoice } from './network-choice.ts'
import { begunHere, ownProgramOf, startedAs } from './own-command.ts'
import type { NetworkSettings, Settings } from './settings.ts'
import { endpointsIn, nodeDraft, typedSetup, validatorDraft } from './setup-drafts.ts'

export type LauncherInput = {
  /** Makes the real world, with its first use. */
  effects(): Promise<Effects>
  stateDirectory: string
  initial: NetworkChoice | undefined
  /** A registered validator that was named before any network. */
  validator?: string
  /** Gets a session before anybody else, and returns the one to use. */
  onSession(session: Session): Session | Promise<Session>
  /** Ends what is being opened. */
  signal: AbortSignal
  /** Hears in a sentence what was put right on the disk. */
  tell(sentence: string): void
}

/**
 * Returns the way from a choice to a session in the real world, and what resolves once nothing is being opened any more.
 * Heavy parts are loaded with their first use: after the first frame.
 */
export function createLauncher(input: LauncherInput): Launcher & { settled(): Promise<unknown> } {
  const { stateDirectory, signal: ending } = input
  const opening = new Set<Promise<Session>>()
  let made: Promise<Effects> | undefined
  const world = (): Promise<Effects> => {
    made ??= input.effects()
    return made
  }
  const settings = async () => (await import('./settings.ts')).openSettings(stateDirectory)
  const begin = async (setup: Setup, signal: AbortSignal): Promise<Session> => {
    const [{ createSession }, { attended }, { openAlarms }, effects] = await Promise.all([
      import('../core/wizard/session.ts'),
      import('./attended-rehearsal.ts'),
      import('../watch/keep-alarms.ts'),
      world(),
    ])
    signal.throwIfAborted()
    return input.onSession(attended(createSession(effects, setup, openAlarms), effects))
  }
  const onRehearsal = async (choice: RehearsalChoice, signal: AbortSignal) => {
    const { rehearsalFor } = await import('./start-rehearsal.ts')
    const asking = effectsUntil(await world(), signal)
    return rehearsalFor({ effects: asking, stateDirectory, signal }, choice, (setup) => begin(setup, signal))
  }
  const onNetwork = async (choice: FormChoice, values: Fields, signal: AbortSignal) => {
    const effects = await world()
    const network = await networkOfChoice(effects, choice)
    signal.throwIfAborted()
    const journalDirectory = join(stateDirectory, network.id)
    const [{ claimDirectory }, { lockDirectories }, { givenValidator }] = await Promise.all([
      import('../core/base/effects/node-claim.ts'),
      import('./kept-places.ts'),
      import('./given-validator.ts'),
    ])
    await claimDirectory(journalDirectory, input.tell)
    const saved = await settings()
    const { executionGenesisHash, pubkey } = saved.of(network.id)
    saved.remember(network.id, { ...saved.of(network.id), ...kept(values), ...describedBy(choice) })
    const { validator } = values
    const typed = typedSetup(values)
    const setup: Setup = {
      network,
      ...typed,
      ...(validator === undefined
        ? {}
        : {
            validator: await givenValidator(effects, {
              text: validator,
              node: typed.endpoints.node,
              network,
            }),
          }),
      ...(validator !== undefined && choice.kind === 'files'
        ? { genesisPath: absolutePath(choice.genesis) }
        : {}),
      journalDirectory,
      lockDirectories: await lockDirectories(process.env, process.platform),
      outputDirectory: process.cwd(),
      ...(isHex(executionGenesisHash, 32) ? { executionGenesisHash } : {}),
      ...(isHex(pubkey, 48) ? { suggestedPubkey: pubkey } : {}),
    }
    signal.throwIfAborted()
    const own = ownProgramOf(setup, begunHere(choice, stateDirectory), startedAs(process))
    const session = await begin({ ...setup, own }, signal)
    rememberSession(session, { settings: saved, values })
    return session
  }
  const open = async (choice: NetworkChoice, values: Fields, signal: AbortSignal): Promise<Session> => {
    if (choice.kind === 'rehearsal') return onRehearsal(choice, signal)
    if (isRehearsal(choice))
      return onRehearsal({ kind: 'rehearsal', which: 'last', validator: values.validator ?? '' }, signal)
    if (choice.kind !== 'as-on-mainnet') return onNetwork(choice, values, signal)
    const { keepTyped } = await import('./typed-rehearsal.ts')
    return onRehearsal({ kind: 'rehearsal', which: await keepTyped(await world(), choice, values) }, signal)
  }
  return {
    initial: input.initial,
    ...(input.validator === undefined ? {} : { validator: input.validator }),
    async underWay(options) {
      const { readUnderWay } = await import('./read-under-way.ts')
      return readUnderWay({ effects: await world(), stateDirectory }, options)
    },
    async draft(choice, homePath, signal) {
      const effects = await world()
      if (choice.kind === 'as-on-mainnet') {
        const { draftAsOnMainnet } = await import('./as-on-mainnet.ts')
        return draftAsOnMainnet({ effects, stateDirectory, signal }, choice, homePath)
      }
      if (isRehearsal(choice)) return rehearsalDraft(choice.validator ?? '')
      const network = await networkOfChoice(effects, choice)
      const known = await settings()
      const saved = known.of(network.id)
      const keystores = await foundKeystores(homePath ?? saved.homePath)
      const home = defaultHome(network, process.env)
      if (choice.validator !== undefined)
        return validatorDraft(network, saved, { given: choice.validator, keystores })
      if (homePath === undefined) {
        const { offeredOnce } = await import('./as-on-mainnet.ts')
        return { ...nodeDraft(network, saved, keystores, home), ...offeredOnce(known, network) }
      }
      if (homePath === saved.homePath) return nodeDraft(network, saved, keystores, home)
      const named = await endpointsOfHome(effects, { network, homePath: absolutePath(homePath) })
      const { remembered: _, ...draft } = nodeDraft(
        network,
        { ...saved, homePath, ...named },
        keystores,
        home,
      )
      return draft
    },
    check: checkField,
    async price({ choice, endpoints }, own) {
      const effects = await world()
      const network = await networkOfChoice(effects, choice)
      const { priceOfPlace } = await import('./price-of-place.ts')
      const asked = endpoints ?? endpointsIn((await settings()).of(network.id))
      const signal = AbortSignal.any([own, ending])
      return priceOfPlace(effectsUntil(effects, signal), { network, endpoints: asked })
    },
    look: checkPath,
    complete: completePath,
    open(choice, values, own) {
      const opened = open(choice, values, AbortSignal.any([own, ending]))
      opening.add(opened)
      return opened.finally(() => opening.delete(opened))
    },
    settled: () => Promise.allSettled(opening),
  }
}

type Fields = Readonly<Record<string, string>>
/** What is proposed at the next start: that no engine was given for a validator says nothing of the node's own. */
function kept({ engine, ...values }: Fields): Fields {
  return engine === undefined || engine === '' ? values : { ...values, engine }
}

const isRehearsal = (choice: NetworkChoice): boolean => choice.kind === 'network' && choice.id === 'rehearsal'

/** The form of a validator on the rehearsal network, whose addresses its descriptor has. */
async function rehearsalDraft(validator: string): Promise<SetupDraft> {
  return validatorDraft(
    { kind: 'rehearsal', label: 'the rehearsal network' },
    {},
    { given: validator, keystores: [] },
  )
}

/** What the network of a journal is read from at the next start. */
function describedBy(choice: FormChoice): NetworkSettings {
  if (choice.kind === 'file') return { networkFile: absolutePath(choice.path) }
  if (choice.kind === 'files')
    return { spec: absolutePath(choice.spec), genesis: absolutePath(choice.genesis) }
  return {}
}

type Path = { text: string; kind: 'folder' | 'file' }

const WORDS = {
  folder: {
    nothing: 'There is no such folder.',
    other: 'This is a file. The node home is a folder.',
    closed: 'You may not read this folder.',
  },
  file: {
    nothing: 'There is no such file.',
    other: 'This is a folder. Tab shows what is in it.',
    closed: 'You may not read this file.',
  },
}

/** Whether there is what is meant at a path, and whether this user may read it. Nothing of it is read. */
export async function checkPath({ text, kind }: Path): Promise<PathNotes> {
  const path = absolutePath(text)
  const found = await stat(path).catch(systemCode)
  const words = WORDS[kind]
  if (typeof found === 'string') return { fault: isAbsent(found) ? words.nothing : words.closed }
  const fits = kind === 'folder' ? found.isDirectory() : found.isFile()
  if (!fits) return { fault: words.other }
  const rights = kind === 'folder' ? constants.R_OK | constants.X_OK : constants.R_OK
  const readable = await access(path, rights).then(
    () => true,
    () => false,
  )
  if (!readable) return { fault: words.closed }
  if (kind === 'file') return { note: 'a file that you may read' }
  const config = await stat(join(path, 'config')).catch(() => undefined)
  if (config?.isDirectory() === true) return { note: 'a folder with config in it' }
  return { note: 'There is no config folder in it. Is it the node home?', doubt: true }
}

const MOST_NAMES = 40

/** Goes on with a path as a shell does on Tab; the beginning is kept as it was typed, `~` too. */
export async function completePath({ text, kind }: Path): Promise<Completion> {
  const begun = text.endsWith('/') ? '' : basename(text)
  const before = text.slice(0, text.length - begun.length)
  const directory = absolutePath(before === '' ? '.' : before)
  const all = await readdir(directory, { withFileTypes: true }).catch((): Dirent[] => [])
  const names = all
    .filter(({ name }) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .filter((name) => kind === 'file' || name.endsWith('/'))
    .sort(byLetters)
  const [only, ...more] = names
  if (only === undefined) return { to: text, names: [] }
  if (more.length > 0) return { to: before + shared(names), names: names.slice(0, MOST_NAMES) }
  if (only === `${begun}/` && kind === 'folder') return { to: text, names: [] }
  return { to: before + only, names: [] }
}

const byLetters = (one: string, other: string): number => one.localeCompare(other)

function shared(names: readonly string[]): string {
  const [first = '', ...rest] = names
  let length = first.length
  for (const name of rest) while (!name.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

const KEYSTORE_FOLDERS = ['~/.foundry/keystores', '~/.ethereum/keystore']
/** An encrypted key is a small file; nothing of it is read here. */
const MOST_BYTES = 64 * 1024

/** Files in the folders where wallets keep encrypted keys, as a user would type their paths. */
export async function foundKeystores(homePath: string | undefined): Promise<string[]> {
  const ofHome = homePath === undefined || homePath === '' ? [] : ['keystore', 'config/keystore']
  const folders = [...KEYSTORE_FOLDERS, ...ofHome.map((name) => join(homePath ?? '', name))]
  const found = await Promise.all(folders.map(filesIn))
  return found.flat()
}

async function filesIn(folder: string): Promise<string[]> {
  const names = (await readdir(absolutePath(folder)).catch(() => [])).sort(byLetters)
  const paths = names.filter((name) => !name.startsWith('.')).map((name) => join(folder, name))
  const kept = await Promise.all(
    paths.slice(0, MOST_NAMES).map(async (path) => {
      const facts = await stat(absolutePath(path)).catch(() => undefined)
      return facts?.isFile() === true && facts.size <= MOST_BYTES ? [path] : []
    }),
  )
  return kept.flat()
}

/**
 * Keeps what is worth knowing at the next start: the first block once it is proven, a typed key once it is, and with the
 * key of the journal, once that is open, the texts of the form that led to it.
 */
export function rememberSession(
  session: Pick<Session, 'setup' | 'facts' | 'subscribe'>,
  { settings, values }: { settings: Settings; values: Readonly<Record<string, string>> },
): void {
  const { id } = session.setup.network
  const remember = (found: NetworkSettings) => settings.remember(id, { ...settings.of(id), ...found })
  const forgetGenesis = session.subscribe(() => {
    const { genesis } = session.facts()
    if (genesis === undefined) return
    remember({ executionGenesisHash: genesis.executionGenesisHash })
    forgetGenesis()
  })
  const forgetKey = session.subscribe(() => {
    const { identity } = session.facts()
    if (identity === undefined) return
    if (identity.key.kind === 'elsewhere') remember({ pubkey: identity.pubkey })
    forgetKey()
  })
  const forgetJournal = session.subscribe(({ journal }) => {
    if (journal.status !== 'open') return
    settings.remember(id, values, journal.header.pubkey)
    forgetJournal()
  })
}
