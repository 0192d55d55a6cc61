import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import type { AuditActor } from '../../core/audit/audit.service.js';
import type { ApplicationDetails } from '../applications/application-details.js';
import { OAuthApplicationsRepository } from '../oauth-applications.repository.js';
import {
  ACCESS_DENIED,
  CHALLENGE_REQUIRED,
  CONSENT_EXPIRED,
  invalidRedirectUri,
  invalidScope,
  UNKNOWN_CLIENT,
  type AuthorizationError,
} from './authorization-errors.js';
import type { Ending, Person } from './authorization-flow.service.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { approval, denial } from './authorization-response.js';
import { adminScopeRefusal, scopeRefusal } from '../scope-refusal.js';
import { Consent } from './consent.service.js';
import { isRegistered } from './redirect-uri.js';
import { grantableScopes } from './requested-scopes.js';
import { SignedAuthorizationRequests } from './signed-authorization-requests.service.js';

/**
 * Decisions of users about the request that the consent screen showed. The form carries no other
 * data: changed scopes are not even read.
 */
@Injectable()
export class ConsentDecisions {
  constructor(
    private readonly sealed: SignedAuthorizationRequests,
    private readonly applications: OAuthApplicationsRepository,
    private readonly consent: Consent,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Returns a code for the application, unless it or the user has changed since the consent screen.
   */
  async approve(text: unknown, { viewer, session }: Person, actor: AuditActor): Promise<Ending> {
    const request = this.sealed.open(text, session.id);
    if (request === null) return { kind: 'refused', error: CONSENT_EXPIRED };
    const application = await this.applications.findDetails(request.applicationId);
    if (application === null) return { kind: 'refused', error: UNKNOWN_CLIENT };
    const error =
      changed(request, application, viewer) ?? this.consent.refusal(viewer, application);
    if (error !== null) return { kind: 'refused', error };
    const given = { request, userId: viewer.id, authTime: session.signedInAt };
    const code = await this.consent.approve(given, application, actor);
    const params = approval(code, request, this.config.baseUrl);
    return { kind: 'answered', address: request, params };
  }

  /** `access_denied` for the application (RFC 6749 §4.1.2.1). */
  deny(text: unknown, { session }: Person): Ending {
    const request = this.sealed.open(text, session.id);
    if (request === null) return { kind: 'refused', error: CONSENT_EXPIRED };
    const params = denial(ACCESS_DENIED, request, this.config.baseUrl);
    return { kind: 'answered', address: request, params };
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
