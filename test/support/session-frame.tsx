import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { SessionProvider } from '../../src/hooks/shell.tsx'
import { stepPage } from '../../src/plain/rows.ts'
import { Steps } from '../../src/screens/Steps.tsx'
import { stillSession } from './moments.ts'
import { openTerminal } from './terminal.tsx'

/** What a terminal of 80 by 24 shows of a session. */
export async function frameOf(session: Session): Promise<string> {
  const state = session.getState()
  const terminal = await openTerminal(
    <SessionProvider session={stillSession(() => state, session)}>
      <Steps />
    </SessionProvider>,
  )
  const lines = terminal.lines()
  await terminal.close()
  return lines.join('\n')
}

/** The same by lines. */
export function linesOf(session: Session): string[] {
  const state = session.getState()
  const view = viewOf(state.step, state, session)
  const page = stepPage(view, { kind: 'rehearsal', label: 'x' }, { kind: 'keys', help: '' })
  return page.blocks.flatMap(({ lines }) => lines)
}
