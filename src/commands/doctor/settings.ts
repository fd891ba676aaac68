import { BaseError } from '../../core/base/errors/base.ts'
import { endpointFault } from '../../core/base/format/endpoint-url.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { NodeSetup } from '../../core/chain/facts.ts'
import { readListenAddress } from '../../core/chain/identity/app-toml.ts'
import { isWholePath } from '../../core/chain/identity/home-files.ts'
import {
  type NodeSettings,
  readNodeSettings,
  type Setting,
  type SettingPlace,
  type SettingsFile,
} from '../../core/chain/identity/node-settings.ts'
import { mayBeOneNode } from '../../core/observe/findings.ts'
import type { Mark } from '../../core/view/view.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report-lines.ts'

/** What a setting should be, and why, each as the end of a sentence. */
type Should = { be: string; why: string }

/** What the network's support asks of each setting. */
const should = {
  pprof_laddr: { be: 'empty', why: 'whoever reaches it may slow the node down' },
  external_address: {
    be: 'the address and port under which others reach the node',
    why: 'behind a router others cannot call it back without it',
  },
  seeds: { be: "the network's seeds", why: 'without them the node finds nobody after a start' },
  persistent_peers: {
    be: 'empty, but for machines of your own',
    why: 'a fixed list of others grows old, and the node keeps calling them',
  },
  addr_book_strict: { be: 'true', why: 'addresses of a private network do not belong into the address book' },
  max_num_inbound_peers: { be: '40', why: 'more than 100 peers together cost the node its time' },
  max_num_outbound_peers: { be: '10', why: 'more than 100 peers together cost the node its time' },
  unconditional_peer_ids: {
    be: 'empty, but for machines of your own',
    why: 'who stands there is counted by no limit',
  },
  pex: { be: 'true', why: 'by it the node hears of others' },
  seed_mode: { be: 'false', why: 'a seed hangs up on everybody, and a validator must not' },
  double_sign_check_height: {
    be: 'above 0, such as 10, for the start of a node that was moved',
    why: 'at 0 the node does not look whether its key has just voted elsewhere before it starts',
  },
  prometheus_listen_addr: {
    be: '127.0.0.1:26660, or closed by the firewall',
    why: 'metrics tell everybody about the node',
  },
  pruning: { be: 'everything, or default', why: 'with nothing the disk fills up' },
  'halt-height': { be: '0', why: 'at any other height the node stops there by itself, as if it had failed' },
  'halt-time': { be: '0', why: 'at any other time the node stops then by itself, as if it had failed' },
  'rpc-dial-url': {
    be: 'the address of the own execution client',
    why: 'without one the node follows nothing',
  },
  'rpc-timeout': { be: 'at least 2s', why: 'a shorter one gives up on an execution client that is busy' },
} as const satisfies Readonly<Record<string, Should>>

/** Every sentence about the settings of a home. */
const SETTINGS_TEXT = {
  should,
  notThere: 'is not there',
  is: (key: string, value: string) => `${key} = ${value === '' ? '""' : value}`,
  shouldBe: (is: string, { be, why }: Should) => `${is}; should be ${be}: ${why}`,
  place: (file: string, line: number | undefined) => (line === undefined ? file : `${file}, line ${line}`),
  change: ({ id, section, file, be }: Should & { id: string; section: string; file: string }) =>
    `set ${id}${section === '' ? '' : ` under [${section}]`} in ${file}: ${be}`,
  secret: {
    there: (path: string) => `${path} is there, and closed to others; it was not opened`,
    missing: (path: string) => `there is no file at ${path}; without it the execution client answers nothing`,
    relative: (path: string) =>
      `${path} is meant from the folder in which the node is started; it is not in the home`,
    noFile: (path: string) => `${path} is no file`,
    open: (path: string) => `other users of this computer may open ${path}`,
    change: 'set jwt-secret-path in config/app.toml to the whole path of the file, and close it: chmod 600',
  },
} as const

/** The settings that the network's support asks for, by the name of each in its file. */
export type SettingId = keyof typeof SETTINGS_TEXT.should

/** Whether a setting is as support wants it; `told`: to be looked at, and right where its owner means it so. */
type Verdict = 'good' | 'bad' | 'told'

type Check = {
  file: SettingsFile
  section: string
  /** Only on a network of many nodes. */
  ofPeers?: true
  /** `''` for a setting that is not there. */
  judge(value: string, at: NodeSettings): Verdict
}

const orBad = (isGood: boolean): Verdict => (isGood ? 'good' : 'bad')
const orTold = (isGood: boolean): Verdict => (isGood ? 'good' : 'told')
const is = (...good: readonly string[]) => ({ judge: (value: string) => orBad(good.includes(value)) })
const isEmpty = (value: string) => value === ''

/** At most so many peers together, as the script has it. */
const MOST_PEERS = 100
const LEAST_RPC_TIMEOUT_MS = 2000

const config = (section: string) => ({ file: 'config/config.toml', section }) as const
const p2p = { ...config('p2p'), ofPeers: true } as const

/** What is looked at, in the order of the files. `app` is the section of the node software in app.toml. */
function checksOf(app: string): Readonly<Record<SettingId, Check>> {
  const engine = { file: 'config/app.toml', section: `${app}.engine` } as const
  const own = { file: 'config/app.toml', section: '' } as const
  return {
    pprof_laddr: { ...config('rpc'), judge: (value) => orBad(isEmpty(value)) },
    external_address: { ...p2p, judge: (value) => orTold(!isEmpty(value)) },
    seeds: { ...p2p, judge: (value) => orBad(!isEmpty(value)) },
    persistent_peers: { ...p2p, judge: (value) => orTold(isEmpty(value)) },
    addr_book_strict: { ...p2p, judge: (value) => orTold(value === 'true') },
    max_num_inbound_peers: { ...p2p, judge: (value, at) => judgePeers(value, '40', at) },
    max_num_outbound_peers: { ...p2p, judge: (value, at) => judgePeers(value, '10', at) },
    unconditional_peer_ids: { ...p2p, judge: (value) => orTold(isEmpty(value)) },
    pex: { ...p2p, ...is('true') },
    seed_mode: { ...p2p, ...is('false', '') },
    double_sign_check_height: { ...config('consensus'), judge: (value) => orTold(/^[1-9]/.test(value)) },
    prometheus_listen_addr: {
      ...config('instrumentation'),
      judge: (value, at) => orTold(!isOn(at) || isLocal(value)),
    },
    pruning: { ...own, judge: (value) => orBad(value !== 'nothing') },
    'halt-height': { ...own, ...isZeroOrTold },
    'halt-time': { ...own, ...isZeroOrTold },
    'rpc-dial-url': { ...engine, judge: (value) => orBad(endpointFault(value) === undefined) },
    'rpc-timeout': { ...engine, judge: (value) => orBad((durationMs(value) ?? 0) >= LEAST_RPC_TIMEOUT_MS) },
  }
}

const isZeroOrTold = { judge: (value: string) => orTold(value === '' || value === '0') }

const isOn = (at: NodeSettings) => at({ ...config('instrumentation'), key: 'prometheus' }).value === 'true'
const isLocal = (address: string) => readListenAddress(address)?.exposed === false

function judgePeers(value: string, usual: string, at: NodeSettings): Verdict {
  const count = (key: string) => Number(at({ ...config('p2p'), key }).value ?? '0')
  if (count('max_num_inbound_peers') + count('max_num_outbound_peers') > MOST_PEERS) return 'bad'
  return orTold(value === usual)
}

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A duration as the node writes it, such as `2s`, `900ms` or `1m30s`, in milliseconds; undefined for anything else. */
function durationMs(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)]
  return parts.reduce((sum, [, count = '0', unit = '']) => sum + Number(count) * (UNITS_MS[unit] ?? 0), 0)
}

const MARKS: Readonly<Record<Verdict, Mark>> = { good: 'proven', bad: 'refused', told: 'given' }

/**
 * The settings of a home that the network's support asks for first, a line each: file, line, value, what it should be and why. No
 * secret is read: of the JWT secret only whether its file is there. Nothing where the home cannot be read, which has its own line.
 */
export async function settingRows(
  { effects }: Call,
  { homePath, network }: NodeSetup,
): Promise<readonly ReportRow[]> {
  try {
    const at = await readNodeSettings(effects, { homePath })
    const { appSection } = network.names
    const checks = Object.entries(checksOf(appSection)) as [SettingId, Check][]
    const asked = checks.filter(([, { ofPeers }]) => ofPeers !== true || !mayBeOneNode(network))
    const rows = asked.map(([key, check]) => {
      const place = { file: check.file, section: check.section, key }
      const found = at(place)
      return settingRow(key, { place, found, verdict: check.judge(found.value ?? '', at) })
    })
    return [...rows, await secretRow(effects, homePath, at, appSection)]
  } catch (thrown) {
    if (thrown instanceof BaseError) return []
    throw thrown
  }
}

/** Returns one setting as a line. */
export function settingRow(
  id: SettingId,
  { place, found, verdict }: { place: SettingPlace; found: Setting; verdict: Verdict },
): ReportRow {
  const { file, section } = place
  const should = SETTINGS_TEXT.should[id]
  const is =
    found.value === undefined ? SETTINGS_TEXT.notThere : SETTINGS_TEXT.is(id, safeText(found.value, 60))
  return {
    step: 'identity',
    id: `setting.${id}`,
    label: id,
    mark: MARKS[verdict],
    value: verdict === 'good' ? is : SETTINGS_TEXT.shouldBe(is, should),
    source: SETTINGS_TEXT.place(file, found.line),
    next: SETTINGS_TEXT.change({ id, section, file, ...should }),
  }
}

/** Whether the file of the JWT secret is there and of this user. It is never opened. */
async function secretRow(
  { files }: Call['effects'],
  homePath: string,
  at: NodeSettings,
  appSection: string,
): Promise<ReportRow> {
  const file = 'config/app.toml'
  const section = `${appSection}.engine`
  const { value = '', line } = at({ file, section, key: 'jwt-secret-path' })
  const paths = isWholePath(value) ? [value] : [`${homePath}/${value}`, `${homePath}/config/${value}`]
  const found = value === '' ? [] : await Promise.all(paths.map((path) => files.facts(path)))
  const facts = found.find((each) => each !== undefined)
  const { secret } = SETTINGS_TEXT
  const shape = { step: 'identity', id: 'setting.jwt-secret-path', label: 'jwt-secret-path' } as const
  const source = SETTINGS_TEXT.place(file, line)
  const row = (mark: Mark, words: string) => ({ ...shape, mark, value: words, source, next: secret.change })
  const shown = safeText(value)
  if (value === '') return row('refused', SETTINGS_TEXT.notThere)
  if (facts === undefined)
    return isWholePath(value) ? row('refused', secret.missing(shown)) : row('given', secret.relative(shown))
  if (facts.kind !== 'file') return row('refused', secret.noFile(shown))
  const isOpen = facts.mode !== undefined && (facts.mode & 0o077) !== 0
  return isOpen ? row('refused', secret.open(shown)) : row('proven', secret.there(shown))
}
