import { Box, Text, useInput } from 'ink'
import { createElement, useState } from 'react'
import { realEffects } from '../../src/compose/real-effects.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { type RunningApp, renderApp } from '../../src/terminal/render.tsx'
import { topUpRequest } from './top-up.ts'

/**
 * Bundled beside the signer and run inside a pseudo-terminal: `node asking.js KEYSTORE ACCOUNT`. Screens that show every
 * key they get; `s` has a top-up signed, and the answer is drawn; `q` ends them.
 */
const [keystore = '', account = ''] = process.argv.slice(2)

function Screen() {
  const [keys, setKeys] = useState('')
  const [answer, setAnswer] = useState('none')
  useInput((input) => {
    if (input === 'q') app.close()
    if (input === 's') void sign().then(setAnswer)
    setKeys((before) => before + input)
  })
  return createElement(
    Box,
    { flexDirection: 'column' },
    createElement(Text, {}, `keys [${keys}]`),
    createElement(Text, {}, `answer ${answer}`),
  )
}

async function sign(): Promise<string> {
  try {
    return (await effects.signer.signTransaction(topUpRequest(keystore, account as Hex))).from
  } catch (error) {
    return error instanceof BaseError ? error.code : String(error)
  }
}

const { signal } = new AbortController()
const effects = realEffects({ suspend: (during) => app.suspend(during), signal, tell: console.error })
const app: RunningApp = renderApp(createElement(Screen), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  process,
})
console.log(`ended: ${JSON.stringify(await app.end)}`)
process.exit()
