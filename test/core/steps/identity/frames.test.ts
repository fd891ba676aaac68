import { testFramesOf } from '../../../support/step-frames.tsx'

testFramesOf('identity')
