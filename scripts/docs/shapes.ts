import { ApiShape } from '../../src/commands/api/endpoints.ts'
import { ErrorShape } from '../../src/commands/command.ts'
import { ConfigShape } from '../../src/commands/config.ts'
import { DevnetShape } from '../../src/commands/devnet.ts'
import { FindingsShape } from '../../src/commands/documents/parts.ts'
import { GenesisShape } from '../../src/commands/genesis.ts'
import { KeysShape } from '../../src/commands/key-chain-rows.ts'
import { LeaveShape } from '../../src/commands/leave.ts'
import { RehearseShape } from '../../src/commands/rehearse.ts'
import { SignShape } from '../../src/commands/sign.ts'
import { StatusShape } from '../../src/commands/status.ts'
import { SupportShape } from '../../src/commands/support-report.ts'
import { DepositsPlanShape, NewKeyPlanShape, TopUpPlanShape } from '../../src/commands/topup-deposits.ts'
import { VerifyShape } from '../../src/commands/verify-chain.ts'
import { TestAlarmShape } from '../../src/commands/watch-delivery.ts'
import type { DocumentName } from '../../src/core/base/format/document.ts'
import { EventShape } from '../../src/watch/notify/event-shape.ts'

/** The fields of every document beside its head. */
export const SHAPES = {
  api: ApiShape,
  config: ConfigShape,
  devnet: DevnetShape,
  doctor: FindingsShape,
  error: ErrorShape,
  event: EventShape,
  genesis: GenesisShape,
  keys: KeysShape,
  leave: LeaveShape,
  rehearse: RehearseShape,
  report: SupportShape,
  sign: SignShape,
  status: StatusShape,
  'test-alarm': TestAlarmShape,
  'topup-plan': TopUpPlanShape,
  'topup-plan-deposits': DepositsPlanShape,
  'topup-plan-new-key': NewKeyPlanShape,
  verify: VerifyShape,
} satisfies Record<DocumentName, { properties: object }>
