import type { EngineStatus } from './engine/get-status.ts'
import type { ExecutionBlock } from './execution/blocks.ts'

/** What several parts of one look rest on. Who asks them all hears it once, at the beginning, and hands it on. */
export type EngineAndHead = { status: EngineStatus; latest: ExecutionBlock }
