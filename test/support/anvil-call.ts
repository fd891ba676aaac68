import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { PrecompileCall } from '../../src/core/chain/deposit/precompile.ts'

export type AnvilCall = { call: PrecompileCall; stop(): Promise<void> }

/** A local execution client on Prague rules that answers `eth_call`, for questions to its precompiles. */
export async function startAnvilCall(): Promise<AnvilCall> {
  const program = join(import.meta.dirname, '../../node_modules/.bin/anvil')
  const args = ['--port', '0', '--hardfork', 'prague', '--no-mining', '--prune-history', '64']
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const place = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.once('error', reject)
    child.once('exit', () => reject(new Error('anvil ended at once')))
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString()
      const [, found] = /Listening on (\S+)\s/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const stop = () => {
    child.kill()
    return ended
  }
  return { call: (to, data) => ethCall(`http://${place}`, [{ to, data }, 'latest']), stop }
}

async function ethCall(url: string, params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })
  const reply = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await reply.json()) as { result?: `0x${string}`; error?: { message: string } }
  if (result === undefined) throw new Error(error?.message ?? 'no result')
  return result
}
