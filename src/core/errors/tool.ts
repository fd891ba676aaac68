import { BaseError } from './base.ts'

export type ToolFault = 'failed' | 'unreadable' | 'other-answer'

/** The node tool gave no opinion that can be used. That is never a yes, and by itself no refusal either. */
export class ToolError extends BaseError {
  readonly fault: ToolFault

  constructor(fault: ToolFault, sentence: string, details: readonly string[]) {
    super(`tool.${fault}`, sentence, {
      details,
      nextSteps: ['This opinion stays unknown. Run the printed command by hand to see what the tool says.'],
    })
    this.name = 'ToolError'
    this.fault = fault
  }
}

/** It ended with an error. `said` is its first line, safe to draw. */
export function toolFailed(command: string, exitCode: number, said: string): ToolError {
  return new ToolError('failed', `The node tool could not do "${command}".`, [
    `exit code: ${exitCode}`,
    `it said: "${said}"`,
  ])
}

/** It ended well, but what it printed is in no known form. */
export function toolUnreadable(command: string, field: string, found: string): ToolError {
  return new ToolError('unreadable', `The node tool's answer to "${command}" is in no known form.`, [
    `field: ${field}`,
    `found: ${found}`,
  ])
}

/** It answered about something else than it was asked. */
export function toolOtherAnswer(
  command: string,
  field: string,
  values: { found: string; expected: string },
): ToolError {
  return new ToolError('other-answer', `The node tool answered "${command}" about something else.`, [
    `field: ${field}`,
    `found: ${values.found}`,
    `expected: ${values.expected}`,
  ])
}
