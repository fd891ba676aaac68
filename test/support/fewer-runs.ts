import fc from 'fast-check'

/** How often the suite tries a property that says no number; under `npm run hard` it is tried as often as the library has it. */
const SUITE_RUNS = 40

fc.configureGlobal({ numRuns: SUITE_RUNS })
