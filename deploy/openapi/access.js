import { fromBuild } from './routes.js';

/** @typedef {import('./routes.js').Route} Route */

const SCHEMES = ['privateToken', 'bearer', 'privateTokenParameter', 'accessTokenParameter'];

/** @type {Record<string, string>} */
const GLOBAL = {
  anyone: 'No authentication required.',
  signed_in: 'Requires sign-in.',
  administrate: 'Requires an administrator.',
};

/** @typedef {Record<string, string[]>} Requirement */

const CLIENT_SECRET = { clientSecret: [] };
/** @type {Requirement[]} */
const BEARER = [{ bearer: [] }, { accessTokenParameter: [] }];

/** Credentials of OAuth endpoints; those that are missing need none. @type {Record<string, Requirement[]>} */
const OAUTH = {
  '/oauth/authorize': [],
  '/oauth/token': [CLIENT_SECRET],
  '/oauth/revoke': [CLIENT_SECRET],
  '/oauth/introspect': [CLIENT_SECRET, { bearer: [] }, { oauth2: [] }],
  '/oauth/token/info': [...BEARER, { oauth2: [] }],
  '/oauth/userinfo': [...BEARER, { oauth2: ['openid'] }],
};

const PERSON = { admin: false, external: false };

/** Says who may call an operation, in words and as OpenAPI's security requirements. */
export class Access {
  /**
   * @param {typeof import('../../src/identity/members/abilities.js')} abilities
   * @param {typeof import('../../src/core/access/scopes.js')} scopes
   * @param {number} publicLevel visibility of what everyone sees
   */
  constructor(abilities, scopes, publicLevel) {
    this.abilities = abilities;
    this.scopes = scopes;
    this.publicLevel = publicLevel;
  }

  static async load() {
    /** @type {typeof import('../../src/identity/members/visibility.js')} */
    const { VISIBILITY } = await fromBuild('identity/members/visibility.js');
    return new Access(
      await fromBuild('identity/members/abilities.js'),
      await fromBuild('core/access/scopes.js'),
      VISIBILITY.public,
    );
  }

  /** @param {Route} route */
  describe(route) {
    if (route.scopes === null) {
      return { security: OAUTH[route.path] ?? [] };
    }
    const isRead = route.method === 'get';
    const scopes = this.scopes.acceptedScopes(/** @type {any} */ (route.scopes), isRead);
    const tokens = route.jobToken ? [...SCHEMES, 'jobToken'] : SCHEMES;
    /** @type {Requirement[]} */
    const security = [...tokens.map((name) => ({ [name]: [] })), ...this.#oauthOf(scopes)];
    const isOpen = isRead && this.#isOpenTo(null, route.ability);
    return {
      security: isOpen ? [...security, {}] : security,
      'x-ability': route.ability,
      'x-scopes': scopes,
    };
  }

  /**
   * One requirement for each scope that opens the operation by itself: those of one requirement are
   * all needed (OpenAPI, Security Requirement Object).
   * @param {readonly import('../../src/core/access/scopes.js').Scope[]} scopes
   */
  #oauthOf(scopes) {
    const { APPLICATION_SCOPES } = this.scopes;
    return scopes
      .filter((scope) => APPLICATION_SCOPES.includes(scope))
      .map((scope) => ({ oauth2: [scope] }));
  }

  /**
   * Returns the required access, as sentences for a description.
   * @param {Route} route
   */
  sentences(route) {
    if (route.path in OAUTH) return '';
    if (route.scopes === null) return 'No authentication required.';
    const { 'x-scopes': scopes = [] } = this.describe(route);
    const names = scopes.map((scope) => `\`${scope}\``).join(', ');
    const job = route.jobToken ? ' Job tokens are accepted.' : '';
    const scope = scopes.length === 1 ? 'the scope' : 'one of the scopes';
    return `${this.#who(route)} Tokens require ${scope} ${names}.${job}`;
  }

  /**
   * Anonymous requests cannot change anything, even if the declaration only requires visibility and
   * the endpoint itself checks the rest.
   * @param {Route} route
   */
  #who({ ability, method }) {
    const known = GLOBAL[ability];
    if (known !== undefined) return known;
    const { PROJECT_ABILITIES, GROUP_ABILITIES } = this.abilities;
    const inProject = /** @type {Record<string, string>} */ (PROJECT_ABILITIES)[ability];
    const role = inProject ?? /** @type {Record<string, string>} */ (GROUP_ABILITIES)[ability];
    if (role === undefined) throw new Error(`ability ${ability} is in no table`);
    const container = inProject === undefined ? 'group' : 'project';
    if (method === 'get' && this.#isOpenTo(null, ability)) {
      return `Requires read access to the ${container} or the role ${role}.`;
    }
    if (this.#isOpenTo(PERSON, ability)) {
      return `Requires sign-in and read access to the ${container} or the role ${role}.`;
    }
    return `Requires the role ${role} in the ${container}.`;
  }

  /**
   * @param {typeof PERSON | null} viewer no member
   * @param {string} ability
   */
  #isOpenTo(viewer, ability) {
    if (ability in GLOBAL) return ability === 'anyone';
    const access = { visibility: this.publicLevel, accessLevel: 0, viewer };
    return ability in this.abilities.PROJECT_ABILITIES
      ? this.abilities.canInProject(/** @type {any} */ (ability), access)
      : this.abilities.canInGroup(/** @type {any} */ (ability), access);
  }
}
