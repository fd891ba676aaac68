import { ApiShape } from '../../src/commands/documents/api.ts'
import { ConfigShape } from '../../src/commands/documents/config.ts'
import { DevnetShape } from '../../src/commands/documents/devnet.ts'
import { ErrorShape } from '../../src/commands/documents/error.ts'
import { GenesisShape } from '../../src/commands/documents/genesis.ts'
import { KeysShape } from '../../src/commands/documents/keys.ts'
import { LeaveShape } from '../../src/commands/documents/leave.ts'
import { FindingsShape } from '../../src/commands/documents/parts.ts'
import { RehearseShape } from '../../src/commands/documents/rehearse.ts'
import { SignShape } from '../../src/commands/documents/sign.ts'
import { StatusShape } from '../../src/commands/documents/status.ts'
import { SupportShape } from '../../src/commands/documents/support.ts'
import { TestAlarmShape } from '../../src/commands/documents/test-alarm.ts'
import {
  DepositsPlanShape,
  NewKeyPlanShape,
  TopUpPlanShape,
} from '../../src/commands/documents/topup-plan.ts'
import { VerifyShape } from '../../src/commands/documents/verify.ts'
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
