import { testFramesOf } from '../../../support/step-frames.tsx'

testFramesOf('topup')
