import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Scope } from '../../core/access/scopes.js';
import type { Viewer } from '../../core/access/viewer.js';
import { AuditTrail, type AuditActor } from '../../core/audit/audit.service.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import type { ApplicationDetails } from '../applications/application-details.js';
import { OAuthTokensRepository } from '../oauth-tokens.repository.js';
import { AuthorizationCodes, type Approval } from './authorization-codes.service.js';
import {
  POWERFUL_SCOPES,
  UNCONFIRMED_EMAIL,
  type AuthorizationError,
} from './authorization-errors.js';

/** Scopes that an untrusted application must not get from administrators under the setting. */
const POWERFUL: readonly Scope[] = [
  'api',
  'read_api',
  'sudo',
  'admin_mode',
  'read_repository',
  'write_repository',
];

/** Decides whether a user can authorize an application, and whether they must be asked. */
@Injectable()
export class Consent {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: InstanceSettings,
    private readonly tokens: OAuthTokensRepository,
    private readonly codes: AuthorizationCodes,
    private readonly audit: AuditTrail,
  ) {}

  /** Returns the reason why this user cannot authorize the application, or null. */
  refusal(viewer: Viewer, { trusted, scopes }: ApplicationDetails): AuthorizationError | null {
    if (!viewer.confirmed) return UNCONFIRMED_EMAIL;
    if (!viewer.admin || trusted || !this.settings.values.disable_admin_oauth_scopes) return null;
    return scopes.some((scope) => POWERFUL.includes(scope)) ? POWERFUL_SCOPES : null;
  }

  /**
   * Returns true if no consent is needed: the application is trusted, or is authenticated and got
   * exactly these scopes before. Clients without a secret can be impersonated (RFC 8252 §8.6).
   */
  async isGiven(
    application: ApplicationDetails,
    userId: number,
    scopes: readonly Scope[],
  ): Promise<boolean> {
    if (application.trusted) return true;
    if (!application.confidential) return false;
    return this.tokens.hasSameScopes({ applicationId: application.id, userId }, scopes);
  }

  /** Issues a code without the consent screen. */
  issue(approval: Approval): Promise<string> {
    return this.dataSource.transaction((tx) => this.codes.issue(tx, approval));
  }

  /** A code for what the person approved, with an entry in their trail. */
  approve(approval: Approval, { name }: ApplicationDetails, actor: AuditActor): Promise<string> {
    const { request, userId } = approval;
    return this.dataSource.transaction(async (tx) => {
      await this.audit.record(tx, actor, {
        action: 'oauth_application_authorized',
        targetType: 'OAuthApplication',
        targetId: request.applicationId,
        targetName: name,
        entity: { type: 'User', id: userId },
        details: { scopes: request.scopes, redirect_uri: request.redirectUri },
      });
      return this.codes.issue(tx, approval);
    });
  }
}
