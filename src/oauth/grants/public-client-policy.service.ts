import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import type { Client } from '../oauth-applications.repository.js';
import { ClientAuthentication } from '../client-authentication.service.js';
import { OAuthError } from '../oauth-errors.js';
import type { OAuthForm } from '../oauth-form.js';

/** Clients of the password grant, which need not be registered (API doc, POST /oauth/token). */
@Injectable()
export class PublicClientPolicy {
  constructor(
    private readonly clients: ClientAuthentication,
    private readonly settings: InstanceSettings,
  ) {}

  /**
   * Returns the application, or null for a client without credentials. Throws `invalid_client` for
   * wrong credentials, and for missing ones unless the setting `ropc_without_client_credentials`
   * allows that.
   */
  async find(request: Request, form: OAuthForm): Promise<Client | null> {
    const client = await this.clients.find(request, form);
    if (client === null && !this.areUnregisteredAllowed) throw new OAuthError('invalid_client');
    return client;
  }

  get areUnregisteredAllowed(): boolean {
    return this.settings.values.ropc_without_client_credentials;
  }
}
