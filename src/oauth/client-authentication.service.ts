import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { credentialDigest, basicCredentials } from '../core/digest.js';
import { decodedPath } from '../core/http/request-url.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { ApplicationLookup } from './application-lookup.service.js';
import type { Client } from './oauth-applications.repository.js';
import { OAuthError } from './oauth-errors.js';
import type { OAuthForm } from './oauth-form.js';

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
