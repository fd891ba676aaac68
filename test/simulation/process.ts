import { keccak256 } from 'viem/utils'
import type { Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import { fileSystemError } from '../../src/core/base/errors/file.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { verifyCheaply } from '../support/cheap-curve.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import type { Branch } from './branches.ts'
import { type ByHand, payByHand } from './by-hand.ts'
import type { DiskAct, DiskFault, Passage } from './disk.ts'
import { URLS } from './network.ts'
import { WEBHOOK_SECRET } from './secrets.ts'
import { createSigner } from './signer.ts'
import { CONFIG, ROLES, WEBHOOK, type World } from './world.ts'

/** A kind of effect, as a death is told to come at one: `disk write`, `http execution`, `sign`. */
type Effect = `disk ${DiskAct}` | `http ${string}` | 'sign' | 'sleep'

/** A death that is due: at the nth effect from now on whose name begins so. */
export type Death = {
  at: string
  nth: number
  where: 'before' | 'halfway' | 'after'
  /** The power fails with it, for every process of the computer. */
  power?: true
  /** What somebody else pays at once, before the program is begun anew. */
  meanwhile?: ByHand
}

/** Faults of the disk that this process meets for a while. */
type DiskTrouble = { fault: DiskFault; chance: number }

/** One process of the program on the computer of the world. */
export type Process = {
  readonly name: string
  readonly effects: Effects
  isDead(): boolean
  /** It ends at once, and nothing of it goes on. */
  kill(): void
  death: Death | undefined
  trouble: DiskTrouble | undefined
  /** Whether the user types the password when it is asked for. */
  types: () => boolean
  /** Which payment of which journal is signed for now. */
  payment: (raw: Hex) => string
}

const FULL: DiskTrouble = { fault: 'ENOSPC', chance: 1 }

/** How long the user takes to type the password. */
const SECONDS_TO_TYPE = 2

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

const ACTS_OF: Readonly<Record<DiskFault, readonly DiskAct[]>> = {
  EIO: ['read', 'write', 'sync', 'open', 'rename'],
  ENOSPC: ['write', 'mkdir', 'open', 'link', 'rename'],
  EMFILE: ['open'],
  EROFS: ['open', 'mkdir', 'rename', 'link', 'remove'],
}

const FAULT_BRANCH = {
  EIO: 'disk-eio',
  ENOSPC: 'disk-enospc',
  EMFILE: 'disk-emfile',
  EROFS: 'disk-erofs',
} as const

function deathBranch(effect: Effect): Branch {
  switch (effect) {
    case 'disk write':
      return 'died-at-write'
    case 'disk sync':
      return 'died-at-sync'
    case 'disk rename':
      return 'died-at-rename'
    case 'sign':
      return 'died-at-signature'
    default:
      return effect.includes('eth_sendRawTransaction') ? 'died-at-broadcast' : 'died-at-answer'
  }
}

/** What the user has written for the watch. */
const WATCH_CONFIG = `
[[channel]]
type = "webhook"
name = "hook"
url = "${WEBHOOK}${WEBHOOK_SECRET}"
`

/** Begins a process in the world. */
export function beginProcess(world: World, name: string): Process {
  const { time, disk, judge, story, plants } = world
  const random = world.random.named(`process ${name} ${time.nowMs()}`)
  const self = {}
  let dead = false
  let losesPower = false
  let metMs = Number.NEGATIVE_INFINITY
  let meanwhile: ByHand | undefined

  const kill = () => {
    if (dead) return
    dead = true
    for (const [path, holder] of world.locks) if (holder === self) world.locks.delete(path)
    story.note(name, () => 'is no more')
    judge.gone(name, time.nowMs() - metMs)
    if (losesPower) world.losePower()
    if (meanwhile !== undefined)
      payByHand(world, meanwhile).catch((thrown: unknown) => judge.object('fault', String(thrown)))
  }
  const dies = (effect: Effect): Death['where'] | undefined => {
    const { death } = process
    if (death === undefined || !effect.startsWith(death.at)) return undefined
    death.nth -= 1
    if (death.nth > 0) return undefined
    process.death = undefined
    losesPower = death.power === true
    meanwhile = death.meanwhile
    story.note(name, () => `dies ${death.where} “${effect}”`)
    story.reached(deathBranch(effect))
    return death.where
  }
  /** Work of a living process; its end is told to the living alone. */
  async function alive<T>(effect: Effect, work: () => Promise<T>, sent?: Hex): Promise<T> {
    if (dead) return never()
    const where = dies(effect)
    if (where !== undefined && effect.includes('eth_sendRawTransaction')) judge.ofGuard.died(sent)
    if (where === 'before') {
      kill()
      return never()
    }
    const doing = work()
    if (where !== undefined) {
      await doing.catch(() => undefined)
      kill()
    }
    try {
      const result = await doing
      return dead ? await never() : result
    } catch (thrown) {
      if (dead) return never()
      throw thrown
    }
  }

  const pass = (act: DiskAct, path: string): Passage => {
    if (dead) return { dies: 'before' }
    const trouble = process.trouble ?? (world.isDiskFull ? FULL : undefined)
    const isMet =
      trouble !== undefined && ACTS_OF[trouble.fault].includes(act) && random.chance(trouble.chance)
    if (isMet) story.note(name, () => `meets ${trouble.fault} at “${act}” of ${path}`)
    if (isMet) {
      metMs = time.nowMs()
      story.reached(FAULT_BRANCH[trouble.fault])
      if (judge.isPaying()) story.reached('disk-trouble-during-payment')
    }
    const where = dies(`disk ${act}`)
    return { ...(isMet ? { fault: trouble.fault } : {}), ...(where === undefined ? {} : { dies: where }) }
  }
  const store = createNodeStore({ disk: disk.seenBy({ pass, end: kill }) })

  const request = (asked: HttpRequest) => {
    const role = asked.url.startsWith(WEBHOOK)
      ? 'webhook'
      : ROLES.find((one) => asked.url.startsWith(URLS[one]))
    const method = asked.body === undefined ? '' : (/"method":"(\w+)"/.exec(asked.body)?.[1] ?? '')
    const raw = sentBytes(asked)
    return alive(
      `http ${method === '' ? role : method} ${role}`,
      async () => {
        judge.leaves(name, asked)
        const { sink: _, ...whole } = asked
        return world.answer(whole)
      },
      raw === undefined ? undefined : keccak256(raw),
    )
  }

  const honest: Effects = {
    clock: {
      nowMs: () => world.wall.standsAtMs ?? time.nowMs() + world.wall.offsetMs,
      monotonicMs: () => time.nowMs(),
      async sleep(delayMs, signal) {
        if (dead) return never()
        await time.sleep(delayMs, signal)
        if (dead) return never()
      },
    },
    http: { request },
    files: {
      async read(path) {
        const text = path === CONFIG ? WATCH_CONFIG : (world.ground.files.get(path) ?? disk.textAt(path))
        if (text === undefined) throw fileSystemError(path, 'ENOENT')
        return new TextEncoder().encode(text)
      },
      async facts(path) {
        const text = path === CONFIG ? WATCH_CONFIG : (world.ground.files.get(path) ?? disk.textAt(path))
        const paths = [...world.ground.files.keys(), ...disk.paths()]
        if (text === undefined && !paths.some((each) => each.startsWith(`${path}/`))) return undefined
        return {
          kind: text === undefined ? 'directory' : 'file',
          sizeBytes: text?.length ?? 4096,
          mode: 0o600,
          ownedByUser: true,
          identity: `1:${path}`,
        }
      },
      findProgram: async () => undefined,
    },
    random: { bytes: (length) => new Uint8Array(length).map(() => random.below(256)) },
    store: {
      readText: (path) => (dead ? never() : store.readText(path)),
      list: (directory) => (dead ? never() : store.list(directory)),
      async openAppend(path, options) {
        if (dead) return never()
        const before = Buffer.byteLength(disk.textAt(path) ?? '')
        const file = await store.openAppend(path, options)
        if (before > options.keepBytes) story.reached('torn-line-cut')
        if (options.keepBytes === 0) judge.beginsAnew(name, path)
        return {
          append: async (line) => {
            await file.append(line)
            judge.acknowledged(path, line)
          },
          close: () => file.close(),
        }
      },
      writeText: (path, text, options) => (dead ? never() : store.writeText(path, text, options)),
      async holderOf(path) {
        if (dead) return never()
        const holder = world.locks.get(path)
        return holder === undefined || holder === self ? undefined : { pid: 2, isSure: true }
      },
      async lock(path) {
        if (dead) return never()
        const holder = world.locks.get(path)
        if (holder !== undefined && plants.ignoresLocks !== true) {
          story.note(name, () => `finds ${path} held`)
          story.reached('second-instance-refused')
          return { heldBy: 'another process' }
        }
        world.locks.set(path, self)
        return {
          async release() {
            if (world.locks.get(path) === self) world.locks.delete(path)
          },
        }
      },
    },
    signer: createSigner(world.ground, {
      async askPassword() {
        if (dead) return never()
        await time.sleep(SECONDS_TO_TYPE * 1000)
        if (dead) return never()
        const isTyped = process.types()
        if (!isTyped) story.reached('password-refused')
        story.note(name, () => (isTyped ? 'is given the password' : 'is given no password'))
        return isTyped
      },
      signed: (raw) => alive('sign', () => judge.signed(raw, process.payment(raw))),
      signedGuard: (raws) => alive('sign', () => judge.guarded(raws)),
    }),
    exec: {
      run: () => Promise.reject(fileSystemError('/usr/bin/none', 'ENOENT')),
      scratch: (use) => use('/tmp/none'),
    },
    verifyVotes: verifyCheaply,
  }
  const process: Process = {
    name,
    isDead: () => dead,
    kill,
    death: undefined,
    trouble: undefined,
    types: () => true,
    payment: () => 'none',
    effects: plants.change?.(honest) ?? honest,
  }
  world.processes.push(process)
  return process
}
