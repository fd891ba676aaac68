/**
 * Says in a sentence that this Node is too old for the project, and ends. Plain JavaScript that any Node reads:
 * loaded in front of a script (`node -r ./scripts/oldest-node.cjs scripts/build.ts`), or run before the tests.
 */
const { engines } = require('../package.json')

const numbers = (version) => version.split('.').map(Number)
const [oldestMajor, oldestMinor] = numbers(engines.node.replace('>=', ''))
const [major, minor] = numbers(process.versions.node)

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(
    `Bearings needs Node ${oldestMajor}.${oldestMinor} or newer; this is ${process.versions.node}.`,
  )
  process.exit(2)
}
