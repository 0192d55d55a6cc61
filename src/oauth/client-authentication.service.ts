import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import {
  PgNotifyCache,
  PgNotifyListener,
} from '../core/announcements/pg-notify-listener.service.js';
import { hasDuplicateKeys } from '../core/http/form-params.js';
import { decodedPath } from '../core/params/coerce.js';
import { credentialDigest, basicCredentials } from '../core/secrets.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { TokenLookup } from '../identity/tokens/token-lookup.service.js';
import { OAuthApplicationsRepository, type Client } from './oauth-applications.repository.js';
import { OAuthError } from './oauth-errors.js';

/** Longer values belong to no parameter of the protocol. */
const MAX_LENGTH = 2_048;

/** In an address they would stand in logs and histories (RFC 6749 §2.3.1, §3.2). */
const NEVER_IN_QUERY = [
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'grant_type',
  'password',
  'redirect_uri',
  'refresh_token',
  'scope',
  'token',
  'username',
];

/**
 * The parameters of a POST to an OAuth endpoint: a form, or a JSON object of texts. Throws
 * `invalid_request` for parameters that come twice, in the address, or as something else than text
 * (RFC 6749 §3.2).
 */
export class OAuthForm {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(request: Request) {
    const inQuery = NEVER_IN_QUERY.find((name) => Object.hasOwn(request.query, name));
    if (inQuery !== undefined) throw refusal(`${inQuery} belongs into the body of the request.`);
    const body: unknown = request.body ?? {};
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw refusal('The parameters are not a form.');
    }
    if (hasDuplicateKeys(body)) throw refusal('A parameter is included more than once.');
    this.values = body as Record<string, unknown>;
  }

  /** The parameter's text; null when it is missing or blank, which is the same (RFC 6749 §3.2). */
  text(name: string): string | null {
    const value = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
    if (value === undefined || value === null || value === '') return null;
    if (typeof value !== 'string' || value.length > MAX_LENGTH) {
      throw refusal(`${name} is not valid.`);
    }
    return value;
  }
}

function refusal(description: string): OAuthError {
  return new OAuthError('invalid_request', { description });
}

/**
 * Finds applications by their client_id: one query, or none when the answer is some seconds old.
 * Each change is announced on the channel `oauth_applications`, so that a renewed secret ends the
 * old one in every process. Unknown client_ids are not remembered: anyone can make them up.
 */
@Injectable()
export class ApplicationLookup {
  private readonly cache: PgNotifyCache<Client>;

  constructor(
    private readonly applications: OAuthApplicationsRepository,
    private readonly tokenLookup: TokenLookup,
    listener: PgNotifyListener,
  ) {
    this.cache = new PgNotifyCache(listener, {
      channel: 'oauth_applications',
      max: 1_000,
      ttl: 5_000,
      onMessage: (uid) => this.forget(uid),
    });
  }

  /** Returns the application, or null if it is not registered. */
  find(uid: string): Promise<Client | null> {
    return this.cache.get(uid, () => this.applications.findClient(uid));
  }

  /** Forgets an application before its announcement arrives: this process just changed it. */
  forget(uid: string): void {
    this.cache.delete(uid);
  }

  /** Drops the cached tokens of a changed application. */
  forgetTokens(digests: readonly Buffer[]): void {
    for (const digest of digests) this.tokenLookup.drop(digest);
  }
}

const MAX_UID_LENGTH = 128;

/** Credentials of a client. */
interface ClientCredentials {
  uid: string;
  /** null = none was sent. */
  secret: string | null;
  isBasic: boolean;
}

/** Authenticates the client (RFC 6749 §2.3): by HTTP Basic, or by form parameters. */
@Injectable()
export class ClientAuthentication {
  constructor(
    private readonly applications: ApplicationLookup,
    private readonly settings: InstanceSettings,
  ) {}

  /** The application; throws `invalid_client` without credentials and for wrong ones. */
  async require(request: Request, form: OAuthForm): Promise<Client> {
    const client = await this.find(request, form);
    if (client === null) throw new OAuthError('invalid_client');
    return client;
  }

  /**
   * The same, but null when there are no credentials at all. Throws `invalid_request` when they come
   * in two ways. An application that can keep its secret has to send it; others need not, but what
   * they send has to be right.
   */
  async find(request: Request, form: OAuthForm): Promise<Client | null> {
    const credentials = credentialsOf(request, form);
    if (credentials === null) return null;
    const { uid, secret, isBasic } = credentials;
    const client = uid.length > MAX_UID_LENGTH ? null : await this.applications.find(uid);
    if (client === null || !isProven(client, secret)) {
      const detail = client === null ? 'unknown client' : 'wrong or missing secret';
      throw new OAuthError('invalid_client', { isBasic, detail, isGuess: true });
    }
    return client;
  }

  /**
   * Returns the application, or null for a client without credentials, which the password grant and
   * the refresh of its tokens accept under the setting `ropc_without_client_credentials` (API doc,
   * POST /oauth/token). Throws `invalid_client` otherwise, and for wrong credentials.
   */
  async findOrUnregistered(request: Request, form: OAuthForm): Promise<Client | null> {
    const client = await this.find(request, form);
    const isAllowed = client !== null || this.settings.values.ropc_without_client_credentials;
    if (!isAllowed) throw new OAuthError('invalid_client');
    return client;
  }
}

function credentialsOf(request: Request, form: OAuthForm): ClientCredentials | null {
  const [uid, secret] = [form.text('client_id'), form.text('client_secret')];
  const authorization = request.headers.authorization ?? '';
  if (!/^basic\b/i.test(authorization)) {
    if (uid === null && secret !== null) throw new OAuthError('invalid_client');
    return uid === null ? null : { uid, secret, isBasic: false };
  }
  const basic = basicCredentials(authorization);
  if (basic === null) throw new OAuthError('invalid_client', { isBasic: true });
  const isTwofold =
    (uid !== null && uid !== formText(basic.user)) ||
    (secret !== null && secret !== formText(basic.password));
  if (isTwofold) {
    throw new OAuthError('invalid_request', {
      description: 'The client authenticates in two ways.',
    });
  }
  return { uid: formText(basic.user), secret: formText(basic.password), isBasic: true };
}

/** Both halves of the pair are encoded like a form's values (RFC 6749 §2.3.1). */
function formText(text: string): string {
  return decodedPath(text.replaceAll('+', ' ')) ?? text;
}

function isProven({ confidential, secretDigest }: Client, secret: string | null): boolean {
  if (secret === null) return !confidential;
  const digest = credentialDigest(secret);
  return digest.length === secretDigest.length && timingSafeEqual(digest, secretDigest);
}
