import { resumeView } from '../../src/core/wizard/resume-view.ts'

/** What the welcome back says is open; undefined where nothing was left. */
export function openWords(...of: [Parameters<typeof resumeView>[0], Parameters<typeof resumeView>[1]]) {
  const open = resumeView(...of, undefined)?.parts[0]
  return open?.is === 'sentences' ? open.sentences : undefined
}

/** Which rows it shows. */
export function openRows(...of: [Parameters<typeof resumeView>[0], Parameters<typeof resumeView>[1]]) {
  const parts = resumeView(...of, undefined)?.parts ?? []
  return parts.flatMap((part) => (part.is === 'facts' ? part.rows : []))
}
