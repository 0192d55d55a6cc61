/**
 * Settings of the client, from its environment.
 * @typedef {object} Settings
 * @property {URL} issuer address of the Guildhall installation
 * @property {string} clientId
 * @property {string | undefined} clientSecret a public application has none
 * @property {string} scope
 * @property {number} port
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Settings}
 */
export function readSettings(env) {
  const { ISSUER, CLIENT_ID, CLIENT_SECRET, SCOPE = 'openid email read_user', PORT = '8080' } = env;
  if (!ISSUER || !CLIENT_ID) throw new Error('ISSUER and CLIENT_ID have to be set');
  return {
    issuer: new URL(ISSUER),
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET || undefined,
    scope: SCOPE,
    port: Number(PORT),
  };
}
