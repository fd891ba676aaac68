import { join } from 'node:path'

/** What a check of the rooms rests on, all paths from the root of the project. */
export type Rooms = {
  /** The rooms from below to above, such as `src/core/base/`; the files beside the rooms of `src` are none. */
  floors: readonly string[]
  /** What each room has in its README.md; a room without one has none here. */
  readmes: ReadonlyMap<string, string>
  /** What each source file imports, types too. */
  imports: ReadonlyMap<string, readonly string[]>
  /** Whether there is a file or folder at a path. */
  exists: (path: string) => boolean
}

const MOST_LINES = 10
/** A door that nobody imports, since it is started. */
const STARTED = ', a process of its own'

type Readme = { doors: string[]; isStrict: boolean; isStarted: boolean; may: string[]; tests: string[] }

/** What the READMEs of the rooms say that is not so, a sentence each; empty where all of it is true. */
export function roomFaults(rooms: Rooms): string[] {
  return rooms.floors.flatMap((room) => {
    const text = rooms.readmes.get(room)
    if (text === undefined) return [`${room} has no README.md`]
    const readme = readmeOf(text)
    return [
      ...formFaults(room, text, readme),
      ...importFaults(rooms, room, readme),
      ...doorFaults(rooms, room, readme),
      ...readme.tests.filter((path) => !rooms.exists(path)).map((path) => `${room} has no tests at ${path}`),
    ]
  })
}

function readmeOf(text: string): Readme {
  const strict = lineOf(text, 'Door')
  const library = lineOf(text, 'Library, begin with')
  return {
    doors: namesIn(strict ?? library ?? ''),
    isStrict: strict !== undefined,
    isStarted: strict?.includes(STARTED) === true,
    may: namesIn(lineOf(text, 'May import') ?? '').map((name) => `src/${name}/`),
    tests: namesIn(lineOf(text, 'Tests') ?? ''),
  }
}

function formFaults(room: string, text: string, { doors, may, tests }: Readme): string[] {
  const lines = text.trimEnd().split('\n')
  return [
    ...(lines.length > MOST_LINES ? [`${room} has a README.md of ${lines.length} lines`] : []),
    ...(lines[0] === `# ${room.slice('src/'.length, -1)}`
      ? []
      : [`${room} is not the title of its README.md`]),
    ...(doors.length === 0 ? [`${room} names no file to begin with`] : []),
    ...(may.length === 0 && lineOf(text, 'May import') !== 'nothing of ours.'
      ? [`${room} names no room`]
      : []),
    ...(tests.length === 0 ? [`${room} names no tests`] : []),
  ]
}

function importFaults({ floors, imports }: Rooms, room: string, { may }: Readme): string[] {
  const used = new Set(
    [...imports]
      .filter(([from]) => from.startsWith(room))
      .flatMap(([, to]) => to.flatMap((path) => roomOf(floors, path) ?? [])),
  )
  used.delete(room)
  const above = may.filter((other) => !floors.slice(0, floors.indexOf(room)).includes(other))
  return [
    ...[...used].filter((other) => !may.includes(other)).map((other) => `${room} imports ${other} unsaid`),
    ...may.filter((other) => !used.has(other)).map((other) => `${room} does not import ${other}`),
    ...above.map((other) => `${room} names ${other}, which is no room below it`),
  ]
}

function doorFaults({ floors, imports, exists }: Rooms, room: string, readme: Readme): string[] {
  const doors = readme.doors.map((name) => join(room, name).replaceAll('\\', '/'))
  const missing = doors.filter((path) => !exists(path)).map((path) => `${path} does not exist`)
  if (!readme.isStrict) return missing
  const entered = [...imports]
    .filter(([from]) => roomOf(floors, from) !== room)
    .flatMap(([from, to]) => to.map((path) => ({ from, path })))
    .filter(({ path }) => path.startsWith(room))
  const past = entered.filter(({ path }) => readme.isStarted || !doors.includes(path))
  const unused = doors.filter((door) => !readme.isStarted && entered.every(({ path }) => path !== door))
  return [
    ...missing,
    ...past.map(({ from, path }) => `${from} imports ${path}, which is no door`),
    ...unused.map((door) => `${door} is a door that nobody takes`),
  ]
}

function roomOf(floors: readonly string[], path: string): string | undefined {
  return floors.find((room) => path.startsWith(room))
}

/** What follows a word at the beginning of an entry of a list. */
function lineOf(text: string, word: string): string | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`- ${word}: `))
  return line?.slice(`- ${word}: `.length)
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}
