import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { Viewer } from '../../core/access/auth-context.js';
import type { Scope } from '../../core/access/scopes.js';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import {
  type ApplicationDetails,
  OAuthApplicationsRepository,
} from '../oauth-applications.repository.js';
import { OAuthAccessGrantsRepository, type Approval } from '../oauth-access-grants.repository.js';
import { adminScopeRefusal, grantableScopes, scopeRefusal } from '../oauth-scopes.js';
import { OAuthTokensRepository } from '../oauth-tokens.repository.js';
import type { Ending, Person } from './authorization-flow.service.js';
import { SignedAuthorizationRequests, type AuthorizationRequest } from './authorization-request.js';
import {
  approval,
  denial,
  ACCESS_DENIED,
  CHALLENGE_REQUIRED,
  CONSENT_EXPIRED,
  invalidRedirectUri,
  invalidScope,
  POWERFUL_SCOPES,
  UNCONFIRMED_EMAIL,
  UNKNOWN_CLIENT,
  type AuthorizationError,
} from './authorization-response.js';
import { isRegistered } from '../applications/application-rules.js';

/** Scopes that an untrusted application must not get from administrators under the setting. */
const POWERFUL: readonly Scope[] = [
  'api',
  'read_api',
  'sudo',
  'admin_mode',
  'read_repository',
  'write_repository',
];

/**
 * Decides whether a user can authorize an application and whether they must be asked, and issues
 * the codes. The consent form contains only the request that the screen showed: changed scopes are
 * not even read.
 */
@Injectable()
export class Consent {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: InstanceSettings,
    private readonly applications: OAuthApplicationsRepository,
    private readonly tokens: OAuthTokensRepository,
    private readonly grants: OAuthAccessGrantsRepository,
    private readonly signedRequests: SignedAuthorizationRequests,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Config,
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
    return this.dataSource.transaction((tx) => this.grants.issue(tx, approval));
  }

  /**
   * Returns a code for the application, unless it or the user has changed since the consent screen.
   */
  async approve(text: unknown, { viewer, session }: Person, actor: AuditActor): Promise<Ending> {
    const request = this.signedRequests.verify(text, session.id);
    if (request === null) return { kind: 'refused', error: CONSENT_EXPIRED };
    const application = await this.applications.findDetails(request.applicationId);
    if (application === null) return { kind: 'refused', error: UNKNOWN_CLIENT };
    const error = changed(request, application, viewer) ?? this.refusal(viewer, application);
    if (error !== null) return { kind: 'refused', error };
    const given = { request, userId: viewer.id, authTime: session.signedInAt };
    const code = await this.issueApproved(given, application, actor);
    const params = approval(code, request, this.config.baseUrl);
    return { kind: 'answered', address: request, params };
  }

  /** Returns `access_denied` for the application (RFC 6749 §4.1.2.1). */
  deny(text: unknown, { session }: Person): Ending {
    const request = this.signedRequests.verify(text, session.id);
    if (request === null) return { kind: 'refused', error: CONSENT_EXPIRED };
    const params = denial(ACCESS_DENIED, request, this.config.baseUrl);
    return { kind: 'answered', address: request, params };
  }

  /** Returns a code for the approved request and records it in the audit log. */
  private issueApproved(
    approval: Approval,
    { name }: ApplicationDetails,
    actor: AuditActor,
  ): Promise<string> {
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
      return this.grants.issue(tx, approval);
    });
  }
}

/** Returns the reason why a request has become invalid since the consent screen. */
function changed(
  { redirectUri, scopes, codeChallenge }: AuthorizationRequest,
  application: ApplicationDetails,
  viewer: Person['viewer'],
): AuthorizationError | null {
  if (!isRegistered(redirectUri, application)) {
    return invalidRedirectUri(application.name, redirectUri);
  }
  if (!application.confidential && codeChallenge === null) return CHALLENGE_REQUIRED;
  if (!scopes.every((scope) => application.scopes.includes(scope))) {
    return invalidScope(scopeRefusal(scopes, application.scopes));
  }
  const isGrantable = grantableScopes(scopes, viewer).length === scopes.length;
  return isGrantable ? null : invalidScope(adminScopeRefusal(scopes));
}
