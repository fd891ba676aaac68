// A computer whose list of users lacks the one who runs the program: a service or a container often is one.
const os = require('node:os')
const { syncBuiltinESMExports } = require('node:module')

/** @param {string} call */
const isUnknown = (call) => () => {
  const code = 'ERR_SYSTEM_ERROR'
  throw Object.assign(new Error(`${call} returned ENOENT (no such file or directory)`), { code })
}
os.homedir = isUnknown('uv_os_homedir')
os.userInfo = isUnknown('uv_os_get_passwd')
syncBuiltinESMExports()
