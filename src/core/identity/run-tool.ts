import { toolNotAsked } from '../errors/tool.ts'
import { safeText } from '../format/text.ts'
import type { HomeWorld } from './home.ts'
import { readToolHelp } from './tool-output.ts'

/** Finding and running a program, and looking at a home: the part of the effects that is needed here. */
export type ToolWorld = {
  exec: {
    run(request: ToolRun): Promise<ToolResult>
    scratch<T>(use: (directory: string) => Promise<T>): Promise<T>
  }
  files: HomeWorld['files'] & { findProgram(name: string): Promise<string | undefined> }
}
type ToolRun = {
  path: string
  args: readonly string[]
  home: string
  timeoutMs: number
  maxOutputBytes: number
}
export type ToolResult = { exitCode: number; stdout: string; stderr: string }

/** What the node tool is asked. */
export type ToolVerb =
  | 'genesis validator-root'
  | 'deposit validator-keys'
  | 'deposit create-validator'
  | 'deposit validate'
  | 'status'

/** A program with the name of the node tool. Whether it is one is found out with the first question. */
export type NodeTool = {
  name: string
  /** Absolute. */
  path: string
  world: ToolWorld
  /** What it can be asked, by its own help. Throws a `ToolError` when it is no node tool. */
  verbs(): Promise<ReadonlySet<string>>
}

const LIMITS = { timeoutMs: 20_000, maxOutputBytes: 64 * 1024 }

/** The node tool of this name, where a program of that name is on the PATH. */
export async function findNodeTool(world: ToolWorld, name: string): Promise<NodeTool | undefined> {
  const path = await world.files.findProgram(name)
  if (path === undefined) return undefined
  let asked: Promise<ReadonlySet<string>> | undefined
  const verbs = () => {
    asked ??= readVerbs(world, { name, path })
    return asked
  }
  return { name, path, world, verbs }
}

/**
 * Asks the node tool one thing. It is always told a home: `home`, which must not lack anything that it would make
 * (`toolHomeGap`), else an empty directory that is taken away afterwards; that directory is its user's own, too, so that
 * it finds no other place to write to. Throws a `ToolError` where it cannot be asked this, or an `ExecError`.
 */
export async function runTool(
  tool: NodeTool,
  verb: ToolVerb,
  { args, home }: { args: readonly string[]; home?: string },
): Promise<ToolResult> {
  if (!(await tool.verbs()).has(verb)) throw toolNotAsked(`This ${tool.name} has no "${verb}": not asked.`)
  return run(tool, [...verb.split(' '), ...args], home)
}

/** The first line of what a tool printed, safe to draw. */
export function firstLine(text: string): string {
  return safeText(text.trimStart().split('\n', 1)[0] ?? '', 120)
}

function run(
  { world, path }: Pick<NodeTool, 'world' | 'path'>,
  args: readonly string[],
  home?: string,
): Promise<ToolResult> {
  return world.exec.scratch((scratch) =>
    world.exec.run({ path, args: [...args, '--home', home ?? scratch], home: scratch, ...LIMITS }),
  )
}

/** What else is called `beacond` is asked for help and for nothing more: its silence could pass for a yes. */
async function readVerbs(
  world: ToolWorld,
  { name, path }: { name: string; path: string },
): Promise<ReadonlySet<string>> {
  const help = async (args: readonly string[]) => {
    const { exitCode, stdout } = await run({ world, path }, ['help', ...args])
    return exitCode === 0 ? readToolHelp(stdout) : undefined
  }
  const top = await help([])
  if (top?.has('deposit') !== true || !top.has('genesis'))
    throw toolNotAsked(`This ${name} is not the node tool: not asked.`)
  const deposit = await help(['deposit'])
  if (deposit === undefined) throw toolNotAsked(`This ${name} is not the node tool: not asked.`)
  const verbs = ['genesis validator-root', ...[...deposit].map((verb) => `deposit ${verb}`)]
  return new Set(top.has('status') ? [...verbs, 'status'] : verbs)
}
