import { Controller, Get, Header } from '@nestjs/common';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { atRoot } from '../../core/http/root-path.js';
import { SIGNING_ALGORITHM, type StoredKey } from './signing-key-store.service.js';
import { SigningKeys } from './signing-keys.service.js';

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
