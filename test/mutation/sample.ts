/**
 * The changes of the first sample, by file: chosen by chance once from all there were, and kept by their names, so that rates
 * compare. `before`: how many were seen of so many that were tried, before tests were added for what it showed.
 */
const FIRST_SAMPLE: Readonly<
  Record<string, { before: readonly [seen: number, tried: number]; names: string }>
> = {
  'src/core/pay/desk/desk.ts': {
    before: [3, 5],
    names: '5dd4e36e3b 0b84df5fa9 1d84960980 e872af3df9 d26797129e',
  },
  'src/core/pay/desk/offer.ts': {
    before: [5, 10],
    names:
      'cdde5dbc77 c55ce5a5ee 0d24ba4026 99a78571e1 3c68598ff7 1a84cd697b ca931abbca d0a13fb950 53e9150428 accc1750a4 43c76bede6 171c17248a 318b254115 6ceca2ecdd',
  },
  'src/core/pay/desk/typed-word.ts': { before: [1, 1], names: '54e3e2cd83' },
  'src/core/pay/funds.ts': { before: [1, 1], names: '8158d8cd13' },
  'src/core/pay/gate/ask-commands.ts': {
    before: [1, 3],
    names: '18a795a2a9 26df128e5c 207c2ba9de e5e2af823e de83e8f267 48c8cdb012 2fe1e4f8d5 66cd1849ec',
  },
  'src/core/pay/gate/cast.ts': { before: [0, 1], names: 'e3b1d056e7' },
  'src/core/pay/gate/chain-commands.ts': { before: [0, 1], names: '83ace7c06f' },
  'src/core/pay/gate/facts.ts': { before: [0, 0], names: '594cadebf4 9feb73c621' },
  'src/core/pay/gate/following.ts': {
    before: [0, 3],
    names: '6493ddca1c 2f307bf6aa 61e961023f 46eb7a1cf5 c7e8e00ceb 0bc68d8511 3cce164622',
  },
  'src/core/pay/gate/prepare-commands.ts': { before: [0, 3], names: '5496f424b6 6c8e96339b ecef70c3de' },
  'src/core/pay/gate/recheck.ts': { before: [0, 2], names: 'ccad066681 6b62bae9db 360d3951ff' },
  'src/core/pay/gate/view.ts': { before: [0, 0], names: '1d7817021e bc0b9da201' },
  'src/core/pay/leave/ask-commands.ts': {
    before: [0, 6],
    names: 'c825cc6fb4 47f947efa2 916dcc5c5c bc4124405f 7dc217e7f3 23bd57cc1a',
  },
  'src/core/pay/leave/facts.ts': {
    before: [0, 7],
    names: 'ee10fad853 79eefeb8ce 44cebc5f53 5f17ab6233 fb2ef96c4b 4e14bbc743 123b5740cc',
  },
  'src/core/pay/leave/fates.ts': {
    before: [0, 8],
    names: '13059f1a1a a9f02a1df1 8ff7a5d464 7373640257 d05bf74167 ce805d0bb0 4d5d390706 89546724d4',
  },
  'src/core/pay/leave/picture.ts': {
    before: [0, 5],
    names: 'dd05f8dbf4 02270ddfe4 eb002515a9 2da328d59f 2eeee8abbe',
  },
  'src/core/pay/payment-view/actions.ts': {
    before: [1, 11],
    names:
      '6c3065f82b 76b85011f6 5b2e62fc03 0f05ed9be5 99e753a7ad 32ac02cb3e 6448f6794e 4d94c4b292 8ceb2958f9 72dcc87b6a d4367c8f56 ef92c6e02a 44ac140703 f464a9bb1e 9435da194d',
  },
  'src/core/pay/payment-view/consent-view.ts': { before: [0, 1], names: '07453e80b6 4a44713a5a 84c89c5bbd' },
  'src/core/pay/payment-view/notes.ts': {
    before: [1, 2],
    names: 'a11732d2ca b1b06fe960 11415718d4 bca48161fb e9277c9a71',
  },
  'src/core/pay/payment-view/rows.ts': {
    before: [4, 6],
    names:
      '3a85bff502 f7de31de36 757cbfecb6 bf3c1b72e5 571a0f1144 bf35f0f0c2 c790c50aa4 7e8fb20de3 4619761005 e2185444fe',
  },
  'src/core/pay/payment-view/view.ts': {
    before: [8, 11],
    names:
      '12582d6440 50a4dd9ea8 57f82eb61b 01da350aef c52a512096 c91dfb27e5 1fc4f890e8 d49e4d9fd0 c598193fc4 c3ffc5eb4a 7ce42c7676 f51b343e9f ecdcbf0531 2b739ea39a cbd4d64f45 a7549624aa 3a2f0236b7',
  },
  'src/core/pay/payment/broadcast.ts': {
    before: [12, 12],
    names:
      '2ead18f9fb 2076ec8570 3ea331f61d 5799801c34 26aea87e4b 06f1e714c6 053ac3915e 6c426c5389 0d4e64f543 6eadd67ab8 524d77e258',
  },
  'src/core/pay/payment/candidates.ts': {
    before: [5, 8],
    names:
      '3540a77031 be8d9f0352 08f835822c 2df86f6189 8a096f89dc 8b54e87e7b 987ab340fe 286e5ecbc6 04ed95dd6c',
  },
  'src/core/pay/payment/commands.ts': { before: [0, 0], names: '046df3bdd0 f5a82d7d1f' },
  'src/core/pay/payment/heads.ts': {
    before: [7, 10],
    names:
      '87fd2a82cc b9c99fe0e7 aba2e815a4 2ba6759bab 26acfd4570 b62b15c025 1219df2d18 0ddd1a7bf1 9be87bdb1c c080eef236',
  },
  'src/core/pay/payment/machine.ts': {
    before: [12, 15],
    names:
      'ebb447d4e6 0e88dae027 6f5eeabd22 56a2f51f6e 8e259ca9aa a5e7917130 42b6cc1a61 faf49e57cb 4152c00833 7fc6a622dd 3ede37bf78 557d9a174e ccd3fcf158 6fcbcfb709 45bffdae6a 91578891dc',
  },
  'src/core/pay/payment/payment-picture.ts': {
    before: [7, 7],
    names: 'cfbb1c4f70 5b5dbcc715 fcf281b361 8f71055764 37ec418916 901807a900 0be08e7101',
  },
  'src/core/pay/payment/round-track.ts': {
    before: [0, 2],
    names: '3dc0b8f39e 7090a78070 c1ee5e46fb 88f1f23d4d 16254973fe e675e0bb82',
  },
  'src/core/pay/payment/round.ts': { before: [1, 1], names: 'f4eb003cde' },
  'src/core/pay/payment/track.ts': {
    before: [0, 2],
    names: '2dd42a499e 5339da549d e12161893f 4d56ef7625 4a42def727 f4c0a364ca',
  },
  'src/core/pay/wallet/check-signed.ts': { before: [3, 3], names: 'e5de8199ae 16c54cfc7c b94e62d658' },
  'src/core/pay/wallet/fees.ts': { before: [1, 1], names: 'de5ab34560' },
  'src/core/pay/wallet/keystore.ts': {
    before: [3, 8],
    names: '1da18cdbf7 d8482f1857 5e17ef508e 6f69d25169 2c61c4b2dd b3402886e9 ed27b096ab f869df56ca',
  },
  'src/core/pay/wallet/safe-batch.ts': {
    before: [4, 6],
    names: '9f6a7a1664 bc15379a93 4a454bb814 c8a86fe427 a473c8f3fb ddacfcb102',
  },
  'src/core/chain/consensus/forecast.ts': { before: [3, 3], names: 'ee69806324 a924c127be 907e977801' },
  'src/core/chain/consensus/fork-outlook.ts': {
    before: [8, 11],
    names:
      'f1a362943f 2b7cbc414b b9ab596d54 9afa0b6684 90a3b20c4b 51c49d036d 4c74075267 e76add1921 09637beb3e b397287be4 7460a3c932',
  },
  'src/core/chain/consensus/leave-outlook.ts': {
    before: [2, 4],
    names: 'dedab6deac acb710b4f8 7e25796ec6 3276784d75',
  },
  'src/core/chain/consensus/outlook.ts': {
    before: [4, 4],
    names: '838bc478bb 1ce28a5542 b73a674533 78d4dbe70d',
  },
  'src/core/chain/consensus/pay-withdrawals.ts': {
    before: [4, 4],
    names: '4a860171e8 c85e674435 b116ba2019 98cd977678',
  },
  'src/core/chain/consensus/place-cost.ts': {
    before: [2, 4],
    names: '2c9d9e3825 ec8e321ab0 a98e0e81f7 7191a78f60',
  },
  'src/core/chain/consensus/placing.ts': {
    before: [13, 14],
    names:
      'd7fb0b7e77 1ab33dd276 881b1403f8 07832e1b57 d706b1e67e d0d7a0d073 d0cc004826 8df95db1db 6c8b4dfd0a 664edec98a 3c7bf68f46 8af62786cd c7e83f3d5e f93905c876 971966696c dc3f661a2a e812c21d8b',
  },
  'src/core/chain/consensus/process-epoch.ts': {
    before: [10, 12],
    names:
      '25e2a05c3c f1b80945ff 59854984a1 afbe26e673 1f57389d59 ba889e4e55 c60abdccda 30ebf55eab f7b92ca057 d5628617cd c5cef0f755 7a346585f9',
  },
  'src/core/chain/consensus/process-slot.ts': { before: [1, 1], names: '8400675b8b' },
  'src/core/chain/consensus/propose-top-up.ts': {
    before: [2, 3],
    names: '74c66aff25 fd7a4e4d2c d3d378f4da 179d552591',
  },
  'src/core/chain/consensus/snapshot.ts': { before: [2, 3], names: '3f6ed3e3c0 246a43c041 a3c5256543' },
  'src/core/chain/consensus/state.ts': {
    before: [5, 8],
    names: '1eb479bcf3 95fb0ebb87 90be5fb81a d7afba3696 3431f786de 9c8eeb1ff0 1d916d04a7 4cd5009c35',
  },
  'src/core/chain/consensus/withdrawal-request.ts': { before: [2, 2], names: '18cec8da61 8026d2f7a3' },
  'src/core/chain/deposit/abi.ts': {
    before: [4, 6],
    names: '7c71034d75 27c2b8c503 e17ae75824 0e4c69e28e 6a711c3146 f1e46b3a6e',
  },
  'src/core/chain/deposit/calldata.ts': {
    before: [5, 10],
    names:
      '2a6e2a236a c8294bcb79 7245966c00 77c68c2bf9 a1ea6a071e 0058b009e4 486c0fd8cd 6eaf21c6a6 bdce68eee4 2e6863833e',
  },
  'src/core/chain/deposit/credentials.ts': { before: [0, 0], names: '594ceb606a' },
  'src/core/chain/deposit/deposit-file.ts': { before: [0, 2], names: '7a321b9718 bbcd4aaed9 927200b655' },
  'src/core/chain/deposit/event.ts': { before: [2, 2], names: '72093ceac4 a13096bac6' },
  'src/core/chain/deposit/explain-refusal.ts': {
    before: [5, 5],
    names: '1a86ea21ae 5b3674f112 e29f55041a a61df7ab30 3a99fda6d5',
  },
  'src/core/chain/deposit/genesis-root.ts': {
    before: [8, 8],
    names: 'd6d5009516 7612169fc7 1b577aaf28 2e89e34b11 ecdd9355ca 78e0f15595 61b7c46ae1 e8877e13e1',
  },
  'src/core/chain/deposit/plain-points.ts': {
    before: [9, 9],
    names:
      '79b08f1dc4 825b8ce61c 7ca1252c80 0a9e2f11f1 066a54864c fc1cc3e944 93925184ab e0bd2b0614 ebc13d5aee',
  },
  'src/core/chain/deposit/precompile.ts': {
    before: [9, 9],
    names:
      '58cbed84f4 40277a5a60 abb0a80faf 12ef9e7d4d cebf88135d ddcb33ff97 177f77ae46 0d353a7eff 293fad61b9 b65b291911 00c174e227',
  },
  'src/core/chain/deposit/self-test.ts': { before: [1, 1], names: '9c6bd2d4fe' },
  'src/core/chain/deposit/strict-points.ts': { before: [0, 1], names: '1a991c7ff4' },
  'src/core/chain/deposit/verify.ts': {
    before: [4, 4],
    names: '1f9836b5a1 e5d51e8436 3c2fbe35d5 69d2263002',
  },
  'src/core/chain/deposit/withdrawal-call.ts': { before: [1, 1], names: '2a614fbebc' },
  'src/core/chain/identity/app-toml.ts': {
    before: [3, 4],
    names: '24c87fa012 959f43bee5 eac1250900 894ad3bf4c 6e5260db97',
  },
  'src/core/chain/identity/check-address.ts': {
    before: [1, 2],
    names: '2ca7fdb0d1 7203752264 e302a78b5d 4ffb2adba3 75e5382a6a ec8ec53786',
  },
  'src/core/chain/identity/engine-key.ts': {
    before: [3, 4],
    names: '9c15486a64 6ad109b28d ed89f61737 3b1fb2edf2',
  },
  'src/core/chain/identity/home-files.ts': { before: [1, 1], names: 'd19459082e d348908fb6 142949cbe8' },
  'src/core/chain/identity/home-findings.ts': {
    before: [4, 4],
    names: '5a50cca687 f82a67d234 d371ba26eb 44691587ac d0f5dc3838',
  },
  'src/core/chain/identity/home.ts': { before: [1, 1], names: 'dd625fea68' },
  'src/core/chain/identity/key-file.ts': { before: [1, 1], names: 'dc835ba671' },
  'src/core/chain/identity/node-settings.ts': { before: [0, 3], names: 'a253b60628 f8a0d7778f a4e1ad0d1b' },
  'src/core/chain/identity/read-genesis.ts': {
    before: [4, 4],
    names: '3202f644ae 73edfecd9b aa316d9989 5e3d3c4cda',
  },
  'src/core/chain/identity/run-tool.ts': {
    before: [11, 15],
    names:
      '2eb1633867 307c12be22 964482f301 168a052016 da43e5397e cf585d90d5 e197b1a282 81a4bda088 aa45d7b1b7 02e96a5c5a 5ae6562f39 e9d6b4e903 af48548f60 0d6acd7764 57c9091a22 590919a6e7',
  },
  'src/core/chain/identity/typed-key.ts': { before: [1, 1], names: '' },
  'src/core/chain/key-state/ahead.ts': { before: [0, 0], names: '2feb45e03d' },
  'src/core/chain/key-state/first-deposit.ts': { before: [0, 2], names: '5b7446b7cd 5044a18874' },
  'src/core/chain/key-state/key-state.ts': { before: [1, 1], names: 'e1febe4ce0' },
  'src/core/chain/key-state/own.ts': { before: [0, 1], names: 'b865971ce9' },
  'src/core/chain/network/chronicle.ts': { before: [0, 1], names: '3ac4d0d53b c77a1924c8' },
  'src/core/chain/network/network-file.ts': {
    before: [2, 5],
    names: 'e2262a6b8b d47e22a732 89fbe396e0 da5172f648 63e32b79ca',
  },
  'src/core/chain/network/network.ts': {
    before: [3, 4],
    names: 'e6f1cc0862 cb9664c8aa 0d805d1100 51f78a8ff4 ef6f712560',
  },
  'src/core/chain/network/offered.ts': { before: [0, 0], names: '0886f96449' },
  'src/core/chain/network/pools.ts': { before: [1, 1], names: 'f53a01a704' },
  'src/core/chain/network/rehearsal.ts': {
    before: [3, 3],
    names: '9153cec381 b76afd4379 9199557091 eaa9e148f9',
  },
  'src/core/chain/network/spec-fields.ts': {
    before: [2, 3],
    names: 'cdd8a04c11 522ef175e0 668da37543 8c00342c2d',
  },
  'src/core/chain/network/standstill.ts': { before: [1, 1], names: '601b3adbc3' },
  'src/core/chain/proofs/beacon-state.ts': { before: [1, 2], names: '65f69ae21c a173e0bd63' },
  'src/core/chain/proofs/merkle.ts': {
    before: [5, 6],
    names: 'ba5615e167 2e1c129ffd 137b390fac 16901de189 fbced487ac 9f25756550 5c9dcc0e31',
  },
  'src/core/chain/proofs/verify.ts': {
    before: [5, 5],
    names: '76ccd2316a b09bb9f996 ede6e82f2a bd637a9ace 198b93bf0e',
  },
  'src/core/wizard/journal/entry.ts': {
    before: [4, 4],
    names: '17ac475cbe c040154ffc 3eb6912494 e9e3c1615a',
  },
  'src/core/wizard/journal/events.ts': {
    before: [6, 6],
    names:
      '1090622d6f 9ac27fc23f b74d390878 b7707cc812 5c5b9be3cb d6ad9b2c7e 08c0c22f5d 82f30c5105 7276a45be6',
  },
  'src/core/wizard/journal/fields.ts': { before: [1, 1], names: '13d21d3c60' },
  'src/core/wizard/journal/journal-file.ts': { before: [1, 1], names: '166769e309 68af12e504' },
  'src/core/wizard/journal/journal.ts': { before: [3, 3], names: '1c2cc65407 83680e03e6' },
  'src/core/wizard/journal/replay.ts': { before: [3, 3], names: 'e871c0fe88 5b32c11caa 21922a37f6' },
  'src/signer/ask-password.ts': {
    before: [1, 5],
    names: '0b4d9f9b8e 09ab8ee7b7 189dda4efc 288d007d4e 748ab77d1b ccebe48d3e f9dd5b46db',
  },
  'src/signer/handle-request.ts': {
    before: [0, 5],
    names: '4f27b8be0b cb96a6c426 8cbf1c7867 817e0a6ea6 363cdf2f92',
  },
  'src/signer/open-wallet.ts': { before: [1, 4], names: 'e611603fc7 96ec689794 0a0a2c5af3 9703b45504' },
  'src/signer/password-line.ts': {
    before: [10, 13],
    names:
      '0dc798ae67 17061712a7 bf7c87b745 304348097e 130482a8f0 3f617f6479 e509a5f93a 35cf6a92ce ad2b8d40bf 855a51482c 2dbc0380f5 ecc8242469 efbd10e74e 520617ee82',
  },
  'src/signer/read-transaction.ts': { before: [2, 3], names: '498889c376 26a718f598 fbffe8dc07' },
  'src/signer/sign-deposit.ts': { before: [0, 3], names: '90c55d8819 4598e6cc8f 77edd0308d' },
}

/** Their names by file. */
export const FIRST: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(FIRST_SAMPLE).map(([file, { names }]) => [file, names.split(' ')]),
)

/** How many of them were seen at first, and of how many that were tried. */
export const FIRST_SEEN: Readonly<Record<string, readonly [seen: number, tried: number]>> =
  Object.fromEntries(Object.entries(FIRST_SAMPLE).map(([file, { before }]) => [file, before]))
