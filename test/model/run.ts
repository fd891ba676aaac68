import { ACCOUNT, OTHER, OWNER, SAFE, type Tx } from './chain.ts'
import { DEPOSIT_CONTRACT, HONEST } from './endpoint.ts'
import type { Objection } from './judge.ts'
import type { Adapter, Offer } from './program.ts'
import type { Action, Schedule, Setting } from './schedule.ts'
import { AMOUNT, type Computer, createWorld, end, press, slot, start, type World } from './world.ts'

/** What others deposit. */
const OTHERS_AMOUNT = 5_000
/** Slots in which a person who does what is offered comes to an end, once every endpoint is well again. */
const SLOTS_TO_THE_END = 100
/** Slots after which the person looks again, or gives up what does not move. */
const SLOTS_OF_PATIENCE = 8
/** Fees of what is sent by hand: above those of every payment and its replacements. */
const HAND_FEE_WEI = 90_000_000_000n

export type Options = {
  /** Rules that are judged; all where none are named. `e` also plays on to the end. */
  rules?: readonly string[]
  /** Whether the story is written down. */
  tells?: boolean
}

export type Verdict = { objection: Objection | undefined; story: string }

/** Plays a schedule with a program, and then on to the end; stops at the first thing that the judge objects to. */
export async function play(adapter: Adapter, schedule: Schedule, options: Options = {}): Promise<Verdict> {
  const world = createWorld(adapter, schedule.setting, { tells: options.tells === true })
  const { story } = world
  const isJudged = ({ rule }: Objection) => options.rules?.some((one) => rule.startsWith(one)) ?? true
  const objected = () => world.judge.objections.find(isJudged)
  const done = (): Verdict => ({ objection: objected(), story: story.text(objected()) })
  try {
    for (const computer of world.computers) await start(world, computer)
    for (const action of schedule.actions) {
      story.action(action)
      await carryOut(world, action)
      if (objected() !== undefined) return done()
    }
    if (options.rules?.includes('e') ?? true) await playOn(world, () => objected() !== undefined)
    return done()
  } finally {
    for (const { program } of world.computers) program?.end()
  }
}

/** Carries one action out. */
export async function carryOut(world: World, action: Action): Promise<void> {
  const { chain, endpoints, computers, setting, sent } = world
  switch (action.do) {
    case 'slots':
      for (let count = 0; count < action.count; count += 1) await slot(world, action.empty)
      return
    case 'press': {
      const computer = computers[action.who]
      if (computer === undefined || (await press(world, computer, action.offer))) return
      if (action.offer !== 'agree') return
      // What is not offered yet may be after one more look.
      await press(world, computer, 'look-again')
      await press(world, computer, 'agree')
      return
    }
    case 'go-on': {
      const computer = computers[action.who]
      const offers = computer?.program?.offers() ?? []
      const next = GOES_ON.find((one) => offers.includes(one)) ?? 'agree'
      return carryOut(world, { do: 'press', who: action.who, offer: next })
    }
    case 'any': {
      const computer = computers[action.who]
      const offers = computer?.program?.offers() ?? []
      const offer = offers[action.nth % Math.max(1, offers.length)]
      if (computer !== undefined && offer !== undefined) await press(world, computer, offer)
      return
    }
    case 'endpoint': {
      const { stance, at } = action
      endpoints[at].behave(setting.liar === at ? stance : { ...stance, lies: [] })
      return
    }
    case 'alone': {
      const { liar } = setting
      if (liar === undefined) return
      endpoints[liar].behave({ ...HONEST, lies: action.lies })
      endpoints[liar === 0 ? 1 : 0].behave({ ...HONEST, silent: 'refuses' })
      return
    }
    case 'by-hand':
      return byHand(world, action)
    case 'reorg':
      chain.reorg(action.vanish)
      return
    case 'forget':
      chain.forgetPool()
      if (action.all) for (const one of endpoints) one.forgetPool()
      return
    case 'resend': {
      const tx = sent[action.which % Math.max(1, sent.length)]
      if (tx !== undefined) chain.offer(tx)
      return
    }
    case 'crash': {
      const computer = computers[action.who]
      if (computer?.program === undefined) return
      if (action.at === 'now') end(computer)
      else computer.crash = { at: action.at, nth: action.nth }
      return
    }
    case 'restart': {
      const computer = computers[action.who]
      if (computer === undefined) return
      end(computer)
      return start(world, computer)
    }
  }
}

async function byHand(world: World, { what, same }: Extract<Action, { do: 'by-hand' }>): Promise<void> {
  const { chain, computers, setting, hand, adapter, judge, sent } = world
  const next = chain.nonceAt(ACCOUNT, chain.head())
  const nonce = same ? (computers[0]?.program?.told().nonce ?? next) : next
  hand.count += 1
  const hash = `0x${hand.count.toString(16).padStart(4, '0')}${'4a'.repeat(30)}` as const
  const fees = { maxFeeWei: HAND_FEE_WEI, tipWei: HAND_FEE_WEI }
  const made = { hash, from: ACCOUNT, to: DEPOSIT_CONTRACT, nonce, ...fees }
  switch (what) {
    case 'pay':
      return offer(world, { ...made, call: setting.kind, amount: AMOUNT })
    case 'cancel':
      return offer(world, { ...made, to: ACCOUNT, call: 'nothing', amount: 0 })
    case 'other-pays': {
      const call = setting.kind === 'first' ? 'front-run' : 'top-up'
      const theirs = chain.nonceAt(OTHER, chain.head())
      return offer(world, { ...made, from: OTHER, nonce: theirs, call, amount: OTHERS_AMOUNT })
    }
    case 'send-shown': {
      const shown = computers.find(({ program }) => program?.shown() !== undefined)?.program?.shown()
      if (shown === undefined) return
      const tx = await adapter.sign(shown, chain)
      if (shown.isCall) {
        const owners = chain.nonceAt(OWNER, chain.head())
        return offer(world, { ...tx, ...fees, hash, from: OWNER, to: SAFE, nonce: owners })
      }
      judge.sentElsewhere(tx)
      sent.push(tx)
      chain.offer(tx)
    }
  }
}

function offer({ chain }: World, tx: Tx): void {
  chain.signed.set(tx.hash, tx)
  chain.offer(tx)
}

/** What leads on, where it is offered. */
const GOES_ON: readonly Offer[] = ['sign', 'import', 'agree', 'open-again']

/** What the person presses where nothing leads on by itself, the first that is offered. */
const WAYS_OUT: Readonly<Record<Setting['person'], readonly Offer[]>> = {
  cancels: ['cancel', 'abandon', 'speed-up', 'look-again'],
  abandons: ['abandon', 'cancel', 'speed-up', 'look-again'],
}

/** Every endpoint is well, and the person takes what is offered until the payment is settled. */
async function playOn(world: World, isOver: () => boolean): Promise<void> {
  const { endpoints, computers, story, judge, chain } = world
  story.rest()
  for (const one of endpoints) one.behave(HONEST)
  const [computer] = computers
  if (computer === undefined) return
  for (const other of computers.slice(1)) end(other)
  if (computer.program === undefined) await start(world, computer)
  computer.crash = undefined
  const isPaid = () => {
    const told = computer.program?.told()
    return told?.end === 'paid' && !told.remembered
  }
  for (let count = 0; count < SLOTS_TO_THE_END && !isOver(); count += 1) {
    if (isPaid() || isOutOfReach(world)) return
    await act(world, computer, count)
    if (!isOver()) await slot(world, false)
  }
  if (isOver() || isPaid() || isOutOfReach(world)) return
  const { program } = computer
  if (program !== undefined) judge.stuck(0, program.told(), program.offers().join(', '))
  else
    judge.stuck(
      0,
      {
        payment: 0,
        end: undefined,
        remembered: false,
        hash: undefined,
        nonce: undefined,
        words: () => `dead at ${chain.head()}`,
      },
      '',
    )
}

/** A key that somebody else has registered gets no first deposit any more. */
export function isOutOfReach({ setting, chain }: World): boolean {
  const [opened] = chain.deposits(0, chain.finalized())
  return setting.kind === 'first' && opened?.tx.call === 'front-run'
}

/** What the person does in a slot. */
export async function act(world: World, computer: Computer, count: number): Promise<void> {
  const { setting } = world
  const { program } = computer
  if (program === undefined) return
  const gapFrom = program.gapFrom()
  if (gapFrom !== undefined && gapFrom === world.chain.nonceAt(ACCOUNT, world.chain.head())) {
    const hash = `0x${(count + 1).toString(16).padStart(4, '0')}${'9a'.repeat(30)}` as const
    const fees = { maxFeeWei: HAND_FEE_WEI, tipWei: HAND_FEE_WEI }
    const tx = {
      hash,
      from: ACCOUNT,
      to: ACCOUNT,
      nonce: gapFrom,
      call: 'nothing',
      amount: 0,
      ...fees,
    } as const
    return offer(world, tx)
  }
  if (program.shown()?.isCall === true) {
    if (count % SLOTS_OF_PATIENCE === 0)
      return byHand(world, { do: 'by-hand', what: 'send-shown', same: false })
    return
  }
  const offers = program.offers()
  // What was done is given some time to help.
  const isTime = count % SLOTS_OF_PATIENCE === SLOTS_OF_PATIENCE - 1
  const ways = isTime ? [...GOES_ON, ...WAYS_OUT[setting.person]] : GOES_ON
  const way = ways.find((one) => offers.includes(one))
  if (way !== undefined) await press(world, computer, way)
}
