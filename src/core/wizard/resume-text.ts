/** What the welcome back says of what an earlier run left behind, in one language. */
export const RESUME_TEXT = {
  title: 'Welcome back.',
  titleOpen: 'Welcome back. One thing is open.',
  promise: 'This payment can only be charged once, whatever you press.',
  goOn: (step: string) => `go on to ${step}`,
  open: {
    topUp: 'A top-up was signed and may have been sent before the program ended.',
    deposit: 'The first deposit was signed and may have been sent before the program ended.',
    exported:
      'A transaction was exported to your wallet. It may have been signed and sent without this program.',
    remembered: {
      topUp: 'The journal says how the top-up ended. The chain is asked to confirm it.',
      deposit: 'The journal says how the first deposit ended. The chain is asked to confirm it.',
    },
    toppedUp:
      'Deposit and top-up are final. The next steps are to prove the registration again and to watch the validator.',
    toppedUpAdopted: (index: number) =>
      `The top-up of validator ${index}, adopted here, is final. The next steps are to prove it again and to watch it.`,
    deposited: 'The first deposit is final. The next step is to prove the registration.',
    adopted: (index: number) => `Validator ${index} was adopted here. The next step is to prove it again.`,
    failed: 'The first deposit came to nothing: the step "deposit" says why.',
    abandoned: 'A first deposit was abandoned. It is looked for before another one is made.',
    begun: 'A registration was started here. Nothing was sent.',
  },
}
