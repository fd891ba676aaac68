import type { Chain } from './chain.ts'
import type { Endpoint } from './endpoint.ts'
import type { Objection } from './judge.ts'
import type { Offer, Told } from './program.ts'
import type { Action, Setting } from './schedule.ts'

/** What happened, a numbered sentence for each action, with what was said and done meanwhile below it. */
export type Story = {
  action(action: Action): void
  /** From here on every endpoint is well, and the person does what is offered. */
  rest(): void
  pressed(who: number, offer: Offer): void
  note(who: number, words: string): void
  told(who: number, told: Told): void
  text(objection: Objection | undefined): string
}

type About = {
  tells: boolean
  setting: Setting
  chain: Chain
  endpoints: readonly [Endpoint, Endpoint]
  computers: readonly unknown[]
  adapter: string
}

/** A story that is written down, or that costs nothing. */
export function createStory({ tells, setting, chain, endpoints, computers, adapter }: About): Story {
  const lines: string[] = []
  const last: string[] = []
  let count = 0
  const name = (who: number) => (computers.length === 1 ? 'the program' : `computer ${who + 1}`)
  const numbered = (words: string) => {
    count += 1
    lines.push(`${count}. Slot ${chain.head()}: ${words}`)
  }
  const add = (write: () => void) => {
    if (tells) write()
  }
  return {
    action: (action) => add(() => numbered(sentenceOf(action, setting, endpoints))),
    rest: () =>
      add(() => numbered('from here on every endpoint is well, and the person does what is offered.')),
    pressed: (who, offer) =>
      add(() => lines.push(`     slot ${chain.head()}: the person at ${name(who)} chooses “${offer}”`)),
    note: (who, words) => add(() => lines.push(`     ${name(who)} ${words}`)),
    told(who, told) {
      if (!tells) return
      const words = told.words()
      if (last[who] === words) return
      last[who] = words
      lines.push(`     slot ${chain.head()}: ${saidBy(endpoints)}`)
      lines.push(`     ${name(who)} tells: ${words}`)
    },
    text(objection) {
      if (!tells) return ''
      const { kind, signedBy, liar, computers: many } = setting
      const liarName = liar === undefined ? 'nobody' : `the ${endpoints[liar].name} endpoint`
      const begin = `A ${kind} payment signed by ${signedBy}, ${many} computer(s), ${adapter}; ${liarName} may lie.`
      const end =
        objection === undefined ? 'No objection.' : `OBJECTION ${objection.rule}: ${objection.words}`
      return [begin, ...lines, end].join('\n')
    },
  }
}

function saidBy(endpoints: readonly Endpoint[]): string {
  const each = endpoints.map((one) => {
    if (!one.answers()) return `${one.name} is silent`
    const account = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
    const deposits = one.deposits(10).map(({ hash, block }) => `${hash.slice(0, 10)}@${block}`)
    const { lies } = one.stance()
    const lying = lies.length === 0 ? '' : ` (lies: ${lies.join(', ')})`
    return `${one.name} says head ${one.head()}, final ${one.finalized()}, nonce ${one.nonce(account)}/${one.pending(account)}, deposits [${deposits.join(' ')}]${lying}`
  })
  return each.join('; ')
}

function sentenceOf(action: Action, { liar }: Setting, endpoints: readonly [Endpoint, Endpoint]): string {
  switch (action.do) {
    case 'slots':
      return `${action.count} slots pass${action.empty ? ' with empty blocks' : ''}.`
    case 'press':
      return `the person at computer ${action.who + 1} wants “${action.offer}”.`
    case 'go-on':
      return `the person at computer ${action.who + 1} goes on.`
    case 'any':
      return `the person at computer ${action.who + 1} takes one of what is offered.`
    case 'endpoint': {
      const { lag, silent, bytes, lies } = action.stance
      const parts = [
        ...(lag > 0 ? [`lags ${lag} blocks`] : []),
        ...(silent === 'no' ? [] : [`is silent (${silent})`]),
        ...(bytes === 'shares' ? [] : [`${bytes} bytes`]),
        ...(liar === action.at && lies.length > 0 ? [`lies: ${lies.join(', ')}`] : []),
      ]
      return `the ${endpoints[action.at].name} endpoint ${parts.join(', ') || 'is well'}.`
    }
    case 'alone':
      if (liar === undefined) return 'nothing happens.'
      return `the ${endpoints[liar].name} endpoint lies (${action.lies.join(', ')}), and the other one is silent.`
    case 'by-hand':
      return `by hand: ${action.what}${action.same ? ', with the nonce of the payment' : ''}.`
    case 'reorg':
      return `the newest block is replaced; its transactions ${action.vanish ? 'vanish' : 'wait again'}.`
    case 'forget':
      return action.all ? 'all pools forget.' : 'the pool of the block producers forgets.'
    case 'resend':
      return 'somebody sends again what was sent once.'
    case 'crash':
      return `the program of computer ${action.who + 1} ends ${action.at} (${action.nth}).`
    case 'restart':
      return `the program of computer ${action.who + 1} is started again.`
  }
}
