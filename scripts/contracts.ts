import { writeFileSync } from 'node:fs'
import { artifactText, artifactUrl, CONTRACT_NAMES, compileContract } from './contracts/compile.ts'

for (const name of CONTRACT_NAMES) {
  const artifact = compileContract(name)
  writeFileSync(artifactUrl(name), artifactText(artifact))
  console.log(`${name}: ${(artifact.runtimeBytecode.length - 2) / 2} bytes`)
}
