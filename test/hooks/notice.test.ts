import { describe, expect, it } from 'vitest'
import type { TimelineRow } from '../../src/core/view/view.ts'
import type { AnyView } from '../../src/core/wizard/state.ts'
import { awaitsSomething, noticeBetween } from '../../src/hooks/step-keys.ts'
import { depositView, genesisView, statusView, stopProblem } from '../support/views.ts'

const WAITING = { label: 'for the block', sinceMs: 0 }
const { waiting: _, ...still } = genesisView
const calm: AnyView = { ...still, done: false, timeline: [] }
const row = (id: string, state: TimelineRow['state']): TimelineRow => ({
  id,
  state,
  label: id,
  when: '',
  detail: '',
})
const withRows = (...timeline: TimelineRow[]): AnyView => ({ ...statusView, done: false, timeline })

describe('what is told to someone who looks elsewhere', () => {
  it('is nothing while nothing changes, and nothing of another step', () => {
    expect(noticeBetween(calm, calm)).toBeUndefined()
    expect(noticeBetween(calm, { ...depositView, done: true })).toBeUndefined()
  })

  it('is the title of what is done', () => {
    expect(noticeBetween(calm, { ...calm, done: true })).toBe(calm.title)
    expect(noticeBetween({ ...calm, done: true }, calm)).toBeUndefined()
  })

  it('is a problem once, before anything good', () => {
    const stopped = { ...calm, done: true, problem: stopProblem }
    expect(noticeBetween(calm, stopped)).toBe(stopProblem.title)
    expect(noticeBetween(stopped, stopped)).toBeUndefined()
    const later = { ...stopProblem, title: 'You drop out of the active set at epoch 7: in 11 min.' }
    expect(noticeBetween(stopped, { ...stopped, problem: later })).toBeUndefined()
    const other = { ...later, id: 'status.drops-out.8' }
    expect(noticeBetween(stopped, { ...stopped, problem: other })).toBe(later.title)
  })

  it('is the last part of the way that has been passed', () => {
    const before = withRows(row('eligible', 'now'), row('active', 'ahead'))
    expect(noticeBetween(before, withRows(row('eligible', 'done'), row('active', 'now')))).toBe('eligible')
    expect(noticeBetween(before, withRows(row('eligible', 'done'), row('active', 'done')))).toBe('active')
    expect(noticeBetween(withRows(), withRows(row('registered', 'done')))).toBeUndefined()
  })

  it('is the title where the waiting is over', () => {
    expect(noticeBetween({ ...calm, waiting: WAITING }, calm)).toBe(calm.title)
    expect(noticeBetween(calm, { ...calm, waiting: WAITING })).toBeUndefined()
  })
})

describe('something comes by itself', () => {
  it('where it is waited for, or a part of the way is still ahead', () => {
    expect(awaitsSomething(calm)).toBe(false)
    expect(awaitsSomething({ ...calm, waiting: WAITING })).toBe(true)
    expect(awaitsSomething(withRows(row('active', 'now')))).toBe(true)
    expect(awaitsSomething(withRows(row('active', 'done')))).toBe(false)
  })
})
