import { DELAY_MS } from '../test/support/delayed.ts'
import { LOOKING_COMMANDS, roundTrips } from '../test/support/round-trips.ts'
import { startWorld } from '../test/support/world.ts'
import type { Row } from './measure.ts'

/** How many answers each command waits for one after another, and how many it asks for, with two execution endpoints. */
export async function rounds(): Promise<Row[]> {
  const world = await startWorld()
  try {
    const rows: Row[] = []
    for (const name of LOOKING_COMMANDS) {
      const { inARow, questions, askedBefore } = await roundTrips(world, name, { hasSecond: true })
      rows.push({
        what: `${name}, ${DELAY_MS} ms to each answer`,
        result: `${inARow.toFixed(1)} in a row`,
        note: `${questions} questions, ${askedBefore} of them asked before`,
      })
    }
    return rows
  } finally {
    await world.end()
  }
}
