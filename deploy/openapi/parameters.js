/** Parameters that many operations share. */
export const PARAMETERS = {
  CaptchaResponse: {
    name: 'X-Svc-Captcha-Response',
    in: 'header',
    description: 'Response of the CAPTCHA provider.',
    schema: { type: 'string' },
    example: '03AGdBq27lvCYmKkaqDdxWLfMe3ovADGfGlSyiR',
  },
  SpamLogId: {
    name: 'X-Svc-Spam-Log-Id',
    in: 'header',
    description: 'The `spam_log_id` of the 409 response.',
    schema: { type: 'integer' },
    example: 42,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag of an earlier response: 304 if unchanged.',
    schema: { type: 'string' },
    example: 'W/"0f3a9c27"',
  },
  IfUnmodifiedSince: {
    name: 'If-Unmodified-Since',
    in: 'header',
    description: 'HTTP date: 412 if the resource has changed since.',
    schema: { type: 'string' },
    example: 'Thu, 15 Jan 2026 09:30:00 GMT',
  },
  Page: {
    name: 'page',
    in: 'query',
    description: 'Page number.',
    schema: { type: 'integer', default: 1 },
    example: 1,
  },
  PerPage: {
    name: 'per_page',
    in: 'query',
    description: 'Entries per page; more than 100 counts as 100.',
    schema: { type: 'integer', default: 20 },
    example: 20,
  },
  Sudo: {
    name: 'Sudo',
    in: 'header',
    description:
      'ID or username of the user to act as; requires an administrator and the scope `sudo`.',
    schema: { type: 'string' },
    example: 'mallory',
  },
};

/** The ways of presenting a token (API doc, Authentication). */
const SECURITY_SCHEMES = {
  privateToken: {
    type: 'apiKey',
    in: 'header',
    name: 'PRIVATE-TOKEN',
    description: 'Personal, impersonation, project or group access token.',
  },
  privateTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'private_token',
    description: 'The same token as a parameter. URLs end up in logs: prefer the header.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'Any access token, including OAuth 2.0, as `Authorization: Bearer <token>`.',
  },
  accessTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'access_token',
    description: 'Any access token as a parameter. URLs end up in logs: prefer the header.',
  },
  clientSecret: {
    type: 'http',
    scheme: 'basic',
    description:
      'ID and secret of an application (RFC 6749, section 2.3). They can also be sent as the ' +
      'parameters `client_id` and `client_secret`; public applications have only the first.',
  },
  jobToken: {
    type: 'apiKey',
    in: 'header',
    name: 'JOB-TOKEN',
    description: 'Job token, for operations that accept it.',
  },
};

/**
 * The ways of presenting a token, with the flow by which applications get one (RFC 6749, section 4.1).
 * @param {Pick<typeof import('../../src/core/access/scopes.js'), 'SCOPES' | 'APPLICATION_SCOPES'>} scopes
 */
export function securitySchemes({ SCOPES, APPLICATION_SCOPES }) {
  const oauth2 = {
    type: 'oauth2',
    description:
      'Access token of the authorization code flow, as `Authorization: Bearer <token>`. ' +
      'PKCE with `S256` is supported and required for applications without a secret.',
    flows: {
      authorizationCode: {
        authorizationUrl: '/oauth/authorize',
        tokenUrl: '/oauth/token',
        refreshUrl: '/oauth/token',
        scopes: Object.fromEntries(APPLICATION_SCOPES.map((scope) => [scope, SCOPES[scope]])),
      },
    },
  };
  return { ...SECURITY_SCHEMES, oauth2 };
}
