import fc from 'fast-check'
import { layOutSwitch } from './switch.ts'

// The first counterexample is enough: nobody reads the shortest one.
fc.configureGlobal({ endOnFailure: true })
// Files share one process, and what was imported once stays.
if (!('mutants' in globalThis)) layOutSwitch(Number(process.env.BEARINGS_MUTANT ?? -1))
