import { constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Disk } from '../../src/core/base/effects/disk.ts'
import type { Random } from './random.ts'

/** What a disk is asked to do. */
export type DiskAct =
  | 'open'
  | 'read'
  | 'write'
  | 'sync'
  | 'truncate'
  | 'rename'
  | 'link'
  | 'remove'
  | 'mkdir'
  | 'look'

/** A fault that the system answers with. */
export type DiskFault = 'EIO' | 'ENOSPC' | 'EMFILE' | 'EROFS'

/** What a process may see of a call: it passes, it fails, or the process ends before or after it. */
export type Passage = { fault?: DiskFault; dies?: 'before' | 'halfway' | 'after' }

/** Watches each call of one process. Where it dies, `gone` never resolves. */
export type DiskWatch = {
  /** Before a call; `path` is what it is about. */
  pass(act: DiskAct, path: string): Passage
  /** The process is no more. */
  end(): void
}

type Change = { at: number; bytes: Buffer } | { cutTo: number }
type FileNode = {
  kind: 'file'
  id: number
  mode: number
  /** As every process reads it. */
  bytes: Buffer
  /** As it is behind a loss of power, but for what was never synced. */
  safe: Buffer
  unsynced: Change[]
}
type Entry = { name: string; id: number | undefined }
type DirectoryNode = {
  kind: 'directory'
  id: number
  mode: number
  entries: Map<string, number>
  safe: Map<string, number>
  /** Each is one step that happens whole or not at all; a rename changes two names. */
  unsynced: (readonly Entry[])[]
}
type Node = FileNode | DirectoryNode

/** What a sync leaves out, where the disk is to be one that does not keep its word. */
export type Broken = { syncsNothing?: boolean; syncsNoNames?: boolean }

/** A disk of one computer, as its processes share it. */
export type SimDisk = {
  /** The disk as one process has it. */
  seenBy(watch: DiskWatch): Disk
  /** The power fails: what was never synced is there, half there, or not, as chance has it. Answers what was lost. */
  losePower(random: Random): { lost: number; torn: number }
  /** Text of a file; undefined where there is none. */
  textAt(path: string): string | undefined
  /** What of a file would be there behind a loss of power at the worst: what was synced, under a name that was. */
  safeTextAt(path: string): string
  /** Paths of all files. */
  paths(): string[]
  /** Everything that any process ever wrote. */
  readonly written: Set<string>
}

class SystemError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)
const ROOT = 1

/** Returns an empty disk whose directories `roots` are there. */
export function createDisk(roots: readonly string[], broken: Broken = {}): SimDisk {
  const nodes = new Map<number, Node>()
  const written = new Set<string>()
  let ids = ROOT
  nodes.set(ROOT, directory(ROOT))
  const uid = process.getuid?.() ?? 0

  function directory(id: number): DirectoryNode {
    return { kind: 'directory', id, mode: 0o700, entries: new Map(), safe: new Map(), unsynced: [] }
  }

  function nodeAt(path: string): Node | undefined {
    let node: Node | undefined = nodes.get(ROOT)
    for (const name of path.split('/').filter((part) => part !== '')) {
      if (node?.kind !== 'directory') return undefined
      const id: number | undefined = node.entries.get(name)
      node = id === undefined ? undefined : nodes.get(id)
    }
    return node
  }
  function found(path: string): Node {
    const node = nodeAt(path)
    if (node === undefined) throw new SystemError('ENOENT')
    return node
  }
  function parentOf(path: string): DirectoryNode {
    const node = found(dirname(path))
    if (node.kind !== 'directory') throw new SystemError('ENOTDIR')
    return node
  }
  function change(parent: DirectoryNode, entries: readonly Entry[]): void {
    for (const { name, id } of entries) {
      if (id === undefined) parent.entries.delete(name)
      else parent.entries.set(name, id)
    }
    parent.unsynced.push(entries)
  }
  function made(path: string, node: Node): void {
    nodes.set(node.id, node)
    change(parentOf(path), [{ name: basename(path), id: node.id }])
  }
  const statOf = (node: Node) => {
    const size = node.kind === 'file' ? node.bytes.length : 4096
    return {
      isFile: () => node.kind === 'file',
      isDirectory: () => node.kind === 'directory',
      isSymbolicLink: () => false,
      size,
      mode: node.mode,
      uid,
      ino: node.id,
      dev: 1,
    }
  }
  const statAs = (node: Node, options?: { bigint?: boolean }) => {
    const facts = statOf(node)
    if (options?.bigint !== true) return facts
    return { ...facts, size: BigInt(facts.size), ino: BigInt(facts.ino), dev: 1n }
  }

  for (const root of roots) {
    let path = ''
    for (const name of root.split('/').filter((part) => part !== '')) {
      path = `${path}/${name}`
      if (nodeAt(path) !== undefined) continue
      ids += 1
      made(path, directory(ids))
    }
  }
  for (const node of nodes.values()) if (node.kind === 'directory') syncNode(node, true)

  function syncNode(node: Node, isFormat = false): void {
    if (node.kind === 'file') {
      if (broken.syncsNothing === true) return
      node.safe = Buffer.from(node.bytes)
      node.unsynced = []
      return
    }
    if (!isFormat && (broken.syncsNothing === true || broken.syncsNoNames === true)) return
    node.safe = new Map(node.entries)
    node.unsynced = []
  }

  function apply(node: FileNode, step: Change): void {
    if ('cutTo' in step) node.bytes = node.bytes.subarray(0, step.cutTo)
    else {
      const end = Math.max(node.bytes.length, step.at + step.bytes.length)
      const next = Buffer.alloc(end)
      node.bytes.copy(next)
      step.bytes.copy(next, step.at)
      node.bytes = next
    }
    node.unsynced.push(step)
  }

  function seenBy(watch: DiskWatch): Disk {
    /** One call: it may fail, or end the process before, in the middle, or after it. */
    async function call<T>(act: DiskAct, path: string, work: (isHalf: boolean) => T): Promise<T> {
      const { fault, dies } = watch.pass(act, path)
      if (dies === 'before') {
        watch.end()
        return never()
      }
      // A disk that is full may have taken a part of what was written.
      if (fault !== undefined && fault !== 'ENOSPC') throw new SystemError(fault)
      if (fault === 'ENOSPC' && act !== 'write') throw new SystemError('ENOSPC')
      const result = work(dies === 'halfway' || fault === 'ENOSPC')
      if (dies !== undefined) {
        watch.end()
        return never()
      }
      return result
    }

    const handleOf = (node: Node, path: string, isAppending: boolean) => ({
      stat: async (options?: { bigint?: boolean }) => call('look', path, () => statAs(node, options)),
      chmod: async (mode: number) =>
        call('look', path, () => {
          node.mode = mode
        }),
      close: async () => undefined,
      sync: async () => call('sync', path, () => syncNode(node)),
      datasync: async () => call('sync', path, () => syncNode(node)),
      truncate: async (length: number) =>
        call('truncate', path, () => {
          if (node.kind === 'file') apply(node, { cutTo: length })
        }),
      write: async (bytes: Buffer) =>
        call('write', path, (isHalf) => {
          if (node.kind !== 'file') throw new SystemError('EISDIR')
          const part = isHalf ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes
          written.add(bytes.toString('utf8'))
          apply(node, { at: isAppending ? node.bytes.length : 0, bytes: Buffer.from(part) })
          return { bytesWritten: part.length, buffer: bytes }
        }),
      writeFile: async (text: string) =>
        call('write', path, (isHalf) => {
          if (node.kind !== 'file') throw new SystemError('EISDIR')
          const bytes = Buffer.from(text, 'utf8')
          written.add(text)
          apply(node, { at: 0, bytes: isHalf ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes })
          return isHalf
        }).then((isShort) => {
          if (isShort) throw new SystemError('ENOSPC')
        }),
    })

    const disk = {
      open: (path: string, flags: number, mode = 0o600) =>
        call('open', path, () => {
          const is = (flag: number) => (flags & flag) !== 0
          const there = nodeAt(path)
          if (there !== undefined && is(constants.O_CREAT) && is(constants.O_EXCL))
            throw new SystemError('EEXIST')
          if (there !== undefined) return handleOf(there, path, is(constants.O_APPEND))
          if (!is(constants.O_CREAT)) throw new SystemError('ENOENT')
          ids += 1
          const node: FileNode = {
            kind: 'file',
            id: ids,
            mode,
            bytes: Buffer.alloc(0),
            safe: Buffer.alloc(0),
            unsynced: [],
          }
          made(path, node)
          return handleOf(node, path, is(constants.O_APPEND))
        }),
      readFile: (path: string) =>
        call('read', path, () => {
          const node = found(path)
          if (node.kind !== 'file') throw new SystemError('EISDIR')
          return node.bytes.toString('utf8')
        }),
      lstat: (path: string, options?: { bigint?: boolean }) =>
        call('look', path, () => statAs(found(path), options)),
      stat: (path: string, options?: { bigint?: boolean }) =>
        call('look', path, () => statAs(found(path), options)),
      readdir: (path: string) =>
        call('look', path, () => {
          const node = found(path)
          if (node.kind !== 'directory') throw new SystemError('ENOTDIR')
          return [...node.entries.keys()]
        }),
      realpath: async (path: string) => path,
      mkdir: (path: string) =>
        call('mkdir', path, () => {
          if (nodeAt(path) !== undefined) throw new SystemError('EEXIST')
          parentOf(path)
          ids += 1
          made(path, directory(ids))
        }),
      rm: (path: string) =>
        call('remove', path, () => {
          if (nodeAt(path) === undefined) return
          change(parentOf(path), [{ name: basename(path), id: undefined }])
        }),
      link: (from: string, to: string) =>
        call('link', to, () => {
          if (nodeAt(to) !== undefined) throw new SystemError('EEXIST')
          change(parentOf(to), [{ name: basename(to), id: found(from).id }])
        }),
      rename: (from: string, to: string) =>
        call('rename', to, () => {
          const { id } = found(from)
          // Both names are in one directory here, as everywhere in the program.
          change(parentOf(to), [
            { name: basename(from), id: undefined },
            { name: basename(to), id },
          ])
        }),
    }
    return disk as unknown as Disk
  }

  /** What of the steps that were never synced is there behind a loss of power: each by itself, the last one perhaps in half. */
  function survivors(node: FileNode, random: Random): { bytes: Buffer; lost: number; torn: number } {
    const after: FileNode = { ...node, bytes: node.safe, unsynced: [] }
    let [lost, torn] = [0, 0]
    for (const step of node.unsynced) {
      const fate = random.below(3)
      if (fate === 0) lost += 1
      else if (fate === 1 && 'bytes' in step && step.bytes.length > 1) {
        torn += 1
        apply(after, { ...step, bytes: step.bytes.subarray(0, 1 + random.below(step.bytes.length - 1)) })
      } else apply(after, step)
    }
    return { bytes: after.bytes, lost, torn }
  }

  return {
    written,
    seenBy,
    losePower(random) {
      const sum = { lost: 0, torn: 0 }
      for (const node of nodes.values()) {
        if (node.kind === 'file') {
          const { bytes, lost, torn } = survivors(node, random)
          sum.lost += lost
          sum.torn += torn
          node.bytes = bytes
        } else {
          const entries = new Map(node.safe)
          for (const step of node.unsynced) {
            if (random.chance(0.5)) {
              sum.lost += 1
              continue
            }
            for (const { name, id } of step) {
              if (id === undefined) entries.delete(name)
              else entries.set(name, id)
            }
          }
          node.entries = entries
        }
      }
      for (const node of nodes.values()) {
        if (node.kind === 'file') {
          node.safe = Buffer.from(node.bytes)
        } else node.safe = new Map(node.entries)
        node.unsynced = []
      }
      return sum
    },
    textAt(path) {
      const node = nodeAt(path)
      return node?.kind === 'file' ? node.bytes.toString('utf8') : undefined
    },
    safeTextAt(path) {
      let node: Node | undefined = nodes.get(ROOT)
      for (const name of path.split('/').filter((part) => part !== '')) {
        if (node?.kind !== 'directory') return ''
        const id: number | undefined = node.safe.get(name)
        node = id === undefined ? undefined : nodes.get(id)
      }
      return node?.kind === 'file' ? node.safe.toString('utf8') : ''
    },
    paths() {
      const below = (path: string, node: Node): string[] =>
        node.kind === 'file'
          ? [path]
          : [...node.entries].flatMap(([name, id]) => {
              const child = nodes.get(id)
              return child === undefined ? [] : below(`${path}/${name}`, child)
            })
      return below('', found('/'))
    },
  }
}
