import './language.ts'
import { handleRequest, readRequestLine, toReply } from './handle-request.ts'

/**
 * The short-lived child: one request line on stdin, one reply line on stdout, then the end. It opens no
 * connection, writes no file and starts nothing. Its stdin closing means that the parent is gone.
 */
async function main(): Promise<void> {
  process.umask(0o077)
  const parentGone = new AbortController()
  const reply = await toReply(async () => {
    const line = await readRequestLine(process.stdin, parentGone)
    return handleRequest(line, { signal: parentGone.signal })
  })
  process.stdout.write(`${JSON.stringify(reply)}\n`, () => {
    // An ordinary end would wait for a keystore that is still being opened, although nobody waits for its key any more, and
    // may wait for a compiler for ever (as in `launch.ts`).
    process.kill(process.pid, 'SIGKILL')
  })
}

await main()
