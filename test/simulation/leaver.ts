import { privateKeyToAccount } from 'viem/accounts'
import { leaveCommand } from '../../src/commands/leave.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { offerTo, readTx } from './execution.ts'
import { SLOT_MS, URLS } from './network.ts'
import { beginProcess, type Process } from './process.ts'
import { STATE, type World } from './world.ts'

/** What is asked for: the whole stake, or a part of it in tokens. */
const ASKED = { whole: [], part: ['--amount', '10,000'] } as const
export type Leaves = keyof typeof ASKED

/** Somebody who asks the chain for the stake, and looks again and again what became of that. */
export type Leaver = {
  process: Process
  /** Whether the request was made, is proven, and is told as taken. */
  isTold(): boolean
}

/** As much of the document of `leave` as is judged. */
type Answer = {
  slot: string
  proof: unknown
  requests: readonly { is: string; transactionHash: Hex }[]
  request: { to: Hex; valueWei: string; data: Hex; nonce: number } | null
  findings: readonly { id: string; level: string; words: { value: string } }[]
}

const FEE_WEI = 90_000_000_000n

/** Begins to look with the command `leave` as it is, and makes the request once it is handed over. */
export function beginLeaver(world: World, leaves: Leaves): Leaver {
  const { ground, network, judge, story, time } = world
  const { user, fresh } = ground.plan
  const process = beginProcess(world, 'leaver')
  let made: Hex | undefined
  let told: string | undefined

  async function look(): Promise<Answer | undefined> {
    const lines: string[] = []
    await leaveCommand({
      argv: [
        '--json',
        '--state',
        STATE,
        '--devnet',
        ground.descriptor,
        '--execution',
        URLS.execution,
        '--second-execution',
        URLS.second,
        ...ASKED[leaves],
        '--validator',
        fresh.pubkey,
      ],
      effects: process.effects,
      io: {
        out: (line) => lines.push(line),
        err: (line) => judge.printed('leaver', line),
        signal: new AbortController().signal,
      },
      stateDirectory: STATE,
      environment: { HOME: '/home/user' },
    })
    const text = lines.join('\n')
    judge.printed('leaver', text)
    const answer = JSON.parse(text) as Partial<Answer>
    return answer.findings === undefined ? undefined : (answer as Answer)
  }

  async function request({ request: asked }: Answer): Promise<void> {
    if (asked === null || made !== undefined) return
    const raw = await privateKeyToAccount(user.privateKey).signTransaction({
      type: 'eip1559',
      chainId: ground.genesis.chainId,
      nonce: asked.nonce,
      to: asked.to,
      value: BigInt(asked.valueWei),
      data: asked.data,
      gas: 200_000n,
      maxFeePerGas: FEE_WEI,
      maxPriorityFeePerGas: FEE_WEI,
    })
    const tx = await readTx(raw)
    if (tx === undefined) throw new Error('what was signed to leave cannot be read')
    made = tx.hash
    story.note('leaver', () => `asks for the ${leaves}, nonce ${tx.nonce}, ${tx.hash.slice(0, 10)}`)
    offerTo(network.pool, tx, tx.nonce)
  }

  function checkTold({ requests, findings, proof, slot }: Answer): void {
    const block = network.blocks.find(({ included }) => included.some(({ tx }) => tx.hash === made))?.number
    if (made === undefined || block === undefined) return
    const fate = requests.find(({ transactionHash }) => transactionHash === made)?.is
    told = proof === null ? undefined : fate
    story.note('leaver', () => `is told: ${fate ?? 'nothing'}, by the state of slot ${slot}`)
    if (fate === 'dropped') judge.object('denied', `a request that the chain took is told as dropped`)
    if (fate !== undefined) return
    const ofLogs = findings.find(({ id }) => id === 'made')
    const [, digits = '-1'] = /block ([\d,]+)$/.exec(ofLogs?.words.value ?? '') ?? []
    const toBlock = Number(digits.replaceAll(',', ''))
    if (ofLogs?.level === 'proven' && toBlock >= block)
      judge.object('denied', `the request of block ${block} is left out of all up to block ${toBlock}`)
    const isInState = proof !== null && Number(slot) >= block
    if (isInState && !findings.some(({ id }) => id.startsWith('taken')))
      judge.object('denied', `the state of slot ${slot} has a request that is not told`)
  }

  async function stay(): Promise<void> {
    while (!process.isDead()) {
      const answer = await look()
      if (answer !== undefined) {
        checkTold(answer)
        await request(answer)
      }
      await time.sleep(SLOT_MS)
    }
  }
  stay().catch((thrown: unknown) => judge.object('fault', `of leave: ${String(thrown)}`))
  return {
    process,
    isTold: () => told === 'exit' || told === 'part' || told === 'past',
  }
}
