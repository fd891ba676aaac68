import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { behaviorsPage } from './docs/behaviors-page.ts'
import { damagedFilesPage } from './docs/damaged-files-page.ts'
import { errorPage } from './docs/error-page.ts'
import { DOCUMENT_NAMES, requireCompatible, type Schema, schemaFor, schemaText } from './docs/schemas.ts'

/** `node scripts/docs.ts`: writes the pages that are made from the program; test/docs holds them against it. */
const docs = join(import.meta.dirname, '../docs')
await writeFile(join(docs, 'errors.md'), errorPage())
await writeFile(join(docs, 'behaviors.md'), behaviorsPage())
await writeFile(join(docs, 'damaged-files.md'), damagedFilesPage())

await mkdir(join(docs, 'json'), { recursive: true })
for (const name of DOCUMENT_NAMES) {
  const path = join(docs, 'json', `${name}.json`)
  const schema = schemaFor(name)
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before !== undefined) requireCompatible(name, JSON.parse(before) as Schema, schema)
  await writeFile(path, schemaText(schema))
}
