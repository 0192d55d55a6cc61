import { Controller, Get, Header, Inject } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { APPLICATION_SCOPES } from '../../core/access/scopes.js';
import { atRoot } from '../../core/http/paths.js';
import { Input } from '../../core/params/input.decorator.js';
import { WebfingerDto } from '../oauth.dto.js';
import { CLAIMED_ROLES, roleClaim } from './claims.js';
import { SIGNING_ALGORITHM, type StoredKey } from './signing-key-store.service.js';
import { SigningKeys } from './signing-keys.service.js';

/** Metadata of the provider (OpenID Connect Discovery §3, RFC 8414 §2). */
interface ProviderDescription {
  /** @example "https://guildhall.example.com" */
  issuer: string;
  /** @example "https://guildhall.example.com/oauth/authorize" */
  authorization_endpoint: string;
  /** @example "https://guildhall.example.com/oauth/token" */
  token_endpoint: string;
  /** @example "https://guildhall.example.com/oauth/revoke" */
  revocation_endpoint: string;
  /** @example "https://guildhall.example.com/oauth/introspect" */
  introspection_endpoint: string;
  /** @example "https://guildhall.example.com/oauth/userinfo" */
  userinfo_endpoint: string;
  /** @example "https://guildhall.example.com/oauth/discovery/keys" */
  jwks_uri: string;
  scopes_supported: string[];
  response_types_supported: string[];
  response_modes_supported: string[];
  grant_types_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  revocation_endpoint_auth_methods_supported: string[];
  introspection_endpoint_auth_methods_supported: string[];
  subject_types_supported: string[];
  id_token_signing_alg_values_supported: string[];
  claim_types_supported: string[];
  claims_supported: string[];
  code_challenge_methods_supported: string[];
  prompt_values_supported: string[];
  /** Redirects back to clients name their issuer (RFC 9207). */
  authorization_response_iss_parameter_supported: boolean;
  request_parameter_supported: boolean;
  request_uri_parameter_supported: boolean;
  claims_parameter_supported: boolean;
}

/** Description of a resource (RFC 7033 §4.4). */
interface ResourceResponse {
  /** @example "acct:mallory@guildhall.example.com" */
  subject: string;
  links: ResourceLinkResponse[];
}

/** Link of the resource. */
interface ResourceLinkResponse {
  /** @example "http://openid.net/specs/connect/1.0/issuer" */
  rel: string;
  /** @example "https://guildhall.example.com" */
  href: string;
}

const WITH_SECRET = ['client_secret_basic', 'client_secret_post'];

/** The relation of the provider in WebFinger (OpenID Connect Discovery §2). */
const ISSUER = 'http://openid.net/specs/connect/1.0/issuer';

const CLAIMS = [
  'iss sub aud exp iat nonce auth_time sub_legacy name nickname preferred_username',
  'email email_verified website profile picture groups groups_direct',
].flatMap((line) => line.split(' '));

/** The description of the provider that clients reach under `baseUrl`, which is its issuer. */
function describeProvider(baseUrl: string): ProviderDescription {
  return { ...endpoints(baseUrl), ...protocol(baseUrl) };
}

function endpoints(baseUrl: string) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    jwks_uri: `${baseUrl}/oauth/discovery/keys`,
  };
}

function protocol(baseUrl: string) {
  return {
    scopes_supported: [...APPLICATION_SCOPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: [
      'authorization_code',
      'password',
      'client_credentials',
      'refresh_token',
    ],
    token_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
    revocation_endpoint_auth_methods_supported: [...WITH_SECRET, 'none'],
    introspection_endpoint_auth_methods_supported: [...WITH_SECRET],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
    claim_types_supported: ['normal'],
    claims_supported: [...CLAIMS, ...CLAIMED_ROLES.map((role) => roleClaim(role, baseUrl))],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent'],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
  };
}

/** Metadata of the provider, where clients find all other endpoints. */
@Controller(atRoot('.well-known'))
@NoAuthentication()
export class DiscoveryController {
  private readonly description: ProviderDescription;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.description = describeProvider(config.baseUrl);
  }

  /** OpenID Connect metadata of the provider. */
  @Get('openid-configuration')
  @Header('Cache-Control', 'public, max-age=3600')
  openId(): ProviderDescription {
    return this.description;
  }

  /** OAuth metadata of the provider; same as the OpenID Connect one. */
  @Get('oauth-authorization-server')
  @Header('Cache-Control', 'public, max-age=3600')
  oauth(): ProviderDescription {
    return this.description;
  }

  /** Returns this provider as the issuer for every account. */
  @Get('webfinger')
  @Header('Cache-Control', 'public, max-age=3600')
  webfinger(@Input() { resource }: WebfingerDto): ResourceResponse {
    return { subject: resource, links: [{ rel: ISSUER, href: this.config.baseUrl }] };
  }
}

/** A public key (RFC 7517 §4). */
interface KeyResponse {
  kty: 'RSA';
  /** Key ID in the header of an id_token. */
  kid: string;
  /** @example "AQAB" */
  e: string;
  /** The modulus in base64url. */
  n: string;
  use: 'sig';
  alg: 'RS256';
}

/** A JWK set (RFC 7517 §5). */
interface KeysResponse {
  keys: KeyResponse[];
}

/** The keys with which id_tokens are checked. */
@Controller(atRoot('oauth/discovery/keys'))
@NoAuthentication()
export class KeysController {
  constructor(private readonly keys: SigningKeys) {}

  /** Lists the public keys: the current one, the next one in advance, and recent former ones. */
  @Get()
  @Header('Cache-Control', 'public, max-age=3600')
  async list(): Promise<KeysResponse> {
    return { keys: (await this.keys.published()).map(presentKey) };
  }
}

function presentKey({ kid, publicJwk: { e = '', n = '' } }: StoredKey): KeyResponse {
  return { kty: 'RSA', kid, e, n, use: 'sig', alg: SIGNING_ALGORITHM };
}
