import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorPage } from './docs/error-page.ts'

/** `node scripts/docs.ts`: writes the pages that are made from the program; test/docs holds them against it. */
await writeFile(join(import.meta.dirname, '../docs/errors.md'), errorPage())
