import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog, type AuditActor } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { NotFoundError } from '../../core/errors.js';
import { UsersRepository } from '../../identity/users/users.repository.js';
import { CredentialCache } from '../../identity/tokens/credential-cache.service.js';
import { OAuthAccessGrantsRepository } from '../oauth-access-grants.repository.js';
import { OAuthApplicationsRepository } from '../oauth-applications.repository.js';
import { OAuthTokensRepository } from '../oauth-tokens.repository.js';

/** Applications that users have authorized. */
@Injectable()
export class AuthorizedApplications {
  constructor(
    private readonly dataSource: DataSource,
    private readonly applications: OAuthApplicationsRepository,
    private readonly grants: OAuthAccessGrantsRepository,
    private readonly tokens: OAuthTokensRepository,
    private readonly users: UsersRepository,
    private readonly audit: AuditLog,
    private readonly cache: CredentialCache,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes back what the user let the application do: its codes, access tokens and refresh tokens
   * end together. Throws 404 for an application that has none.
   */
  async revoke(applicationId: number, user: { id: number }, actor: AuditActor): Promise<void> {
    const digests = await this.dataSource.transaction(async (tx) => {
      const ended = await this.end(tx, applicationId, user.id);
      if (ended.length === 0) throw new NotFoundError('Application');
      await this.audit.record(tx, actor, {
        action: 'oauth_application_authorization_revoked',
        targetType: 'OAuthApplication',
        targetId: applicationId,
        targetName: await this.applications.findName(tx, applicationId),
        entity: { type: 'User', id: user.id },
        details: { tokens: ended.length },
      });
      return ended;
    });
    for (const digest of digests) this.cache.drop(digest);
  }

  /** Under the lock no token is made that this would not see. */
  private async end(tx: EntityManager, applicationId: number, userId: number): Promise<Buffer[]> {
    await this.users.lockTokens(tx, userId);
    const [parties, now] = [{ applicationId, userId }, this.clock.now()];
    await this.grants.revokeOfApplication(tx, parties, now);
    return this.tokens.revokeOfApplication(tx, parties, now);
  }
}
