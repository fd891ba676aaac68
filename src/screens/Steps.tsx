import type { ReactNode } from 'react'
import type { Problem } from '../core/steps/view.ts'
import { useSession } from '../hooks/session-provider.tsx'
import { ShellProvider, useShell, type WayBack } from '../hooks/shell.tsx'
import { useConfirm } from '../hooks/use-confirm.ts'
import { useDeposit } from '../hooks/use-deposit.ts'
import { useGenesis } from '../hooks/use-genesis.ts'
import { useIdentity } from '../hooks/use-identity.ts'
import { useNotifier } from '../hooks/use-notifier.ts'
import { useResume } from '../hooks/use-resume.ts'
import { useSign } from '../hooks/use-sign.ts'
import { useStatus } from '../hooks/use-status.ts'
import { useTopUp } from '../hooks/use-top-up.ts'
import { useWayBack } from '../hooks/use-way-back.ts'
import { Confirm } from './Confirm.tsx'
import { Deposit } from './Deposit.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { Genesis } from './Genesis.tsx'
import { Identity } from './Identity.tsx'
import { Resume } from './Resume.tsx'
import { Sign } from './Sign.tsx'
import { Status } from './Status.tsx'
import { TopUp } from './TopUp.tsx'

/**
 * The seven steps of the running session, and the welcome back where one was left unfinished. `wayBack` ends the session
 * and leads to what was before it.
 */
export function Steps({ wayBack }: { wayBack?: WayBack }): ReactNode {
  const shell = useShell()
  const { session } = useSession()
  const { kind, label } = session.setup.network
  const notifier = useNotifier(shell)
  const back = useWayBack(wayBack)
  return (
    <ShellProvider shell={{ ...shell, network: { kind, label }, ...notifier, ...back }}>
      <Step />
    </ShellProvider>
  )
}

function Step(): ReactNode {
  const { state } = useSession()
  const resume = useResume()
  if (resume !== undefined) return <Resume view={resume.view} onContinue={resume.proceed} />
  const { journal, step } = state
  if (journal.status === 'refused' && step !== 'genesis' && step !== 'identity') {
    return <ErrorScreen code="journal.refused" problem={journalLost(journal.reason)} />
  }
  switch (step) {
    case 'genesis':
      return <GenesisStep />
    case 'identity':
      return <IdentityStep />
    case 'sign':
      return <SignStep />
    case 'deposit':
      return <DepositStep />
    case 'confirm':
      return <ConfirmStep />
    case 'topup':
      return <TopUpStep />
    case 'status':
      return <StatusStep />
  }
}

function journalLost(reason: string): Problem {
  return {
    title: 'The journal cannot be written, so nothing goes on.',
    money: 'unknown',
    values: [],
    lines: [reason, 'What was signed before is in it; nothing else was sent.'],
    next: ['quit, make room on the disk or repair it, start again: it goes on where it stopped'],
  }
}

const GenesisStep = (): ReactNode => <Genesis {...useGenesis()} />
const IdentityStep = (): ReactNode => <Identity {...useIdentity()} />
const SignStep = (): ReactNode => <Sign {...useSign()} />
const DepositStep = (): ReactNode => <Deposit {...useDeposit()} />
const ConfirmStep = (): ReactNode => <Confirm {...useConfirm()} />
const TopUpStep = (): ReactNode => <TopUp {...useTopUp()} />
const StatusStep = (): ReactNode => <Status {...useStatus()} />
