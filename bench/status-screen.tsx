import { render } from 'ink'
import { SessionProvider, ShellProvider } from '../src/hooks/shell.tsx'
import { Steps } from '../src/screens/Steps.tsx'
import { makeTheme, ThemeProvider } from '../src/screens/theme.tsx'
import { splitKeys } from '../src/terminal/key-splitter.ts'
import { fakeStdin, fakeStdout } from '../test/support/fake-streams.ts'
import { live } from '../test/support/register.ts'
import { startWorld } from '../test/support/world.ts'
import type { Watched } from './watch.ts'

// A program of its own, so that its memory is nobody else's; prints one line of JSON.
const VIRTUAL_SECONDS = 600

const world = await startWorld()
const pass = () => world.clock.flow(() => world.clock.sleep(VIRTUAL_SECONDS * 1000))
try {
  const startMs = performance.now()
  const life = world.begin()
  const { session, ending } = await live(world, life)
  if (ending.end !== 'active') throw new Error(`the registration ended ${JSON.stringify(ending)}`)
  const journeyMs = performance.now() - startMs

  let frames = 0
  let writtenBytes = 0
  const stdout = fakeStdout({ columns: 80, rows: 24 }, (text) => {
    frames += 1
    writtenBytes += Buffer.byteLength(text)
  })
  const app = render(
    <ThemeProvider theme={makeTheme({ ascii: false, colours: true })}>
      <ShellProvider shell={{ clock: session.clock, quit: () => undefined }}>
        <SessionProvider session={session}>
          <Steps />
        </SessionProvider>
      </ShellProvider>
    </ThemeProvider>,
    {
      stdin: splitKeys(fakeStdin()),
      stdout: stdout as unknown as NodeJS.WriteStream,
      exitOnCtrlC: false,
      patchConsole: false,
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
    },
  )
  await app.waitUntilRenderFlush()
  const heapBytes = settledHeap()
  await pass()
  await app.waitUntilRenderFlush()
  const watchGrowthBytes = settledHeap() - heapBytes
  const { rss: residentBytes } = process.memoryUsage()
  const watched = { frames, writtenBytes }
  app.unmount()
  await app.waitUntilExit()
  life.kill()
  await life.died
  const before = settledHeap()
  await pass()
  const networkGrowthBytes = settledHeap() - before
  const result: Watched = {
    journeyMs,
    networkGrowthBytes,
    watchGrowthBytes,
    heapBytes,
    residentBytes,
    ...watched,
    virtualSeconds: VIRTUAL_SECONDS,
  }
  process.stdout.write(`${JSON.stringify(result)}\n`)
} finally {
  await world.end()
}
process.exit()

function settledHeap(): number {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
