import { tryLies } from './try-lies.ts'

tryLies('beside others')
