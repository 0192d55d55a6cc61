import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuthContext, Viewer } from '../../core/access/auth-context.js';
import { Clock } from '../../core/clock.js';
import { ForbiddenError, InvalidParamsError, UnauthorizedError } from '../../core/errors.js';
import { generateCredential } from '../../core/secrets.js';
import { type AccessToken, familyOf } from '../../identity/tokens/access-token.entity.js';
import { AccessTokensRepository } from '../../identity/tokens/access-tokens.repository.js';
import { TokenCreationService } from '../../identity/tokens/token-creation.service.js';
import type { MintedToken } from '../../identity/tokens/token.presenter.js';
import type { CreateJobTokenDto } from './resource-token.dto.js';

const PREFIX = 'svcjt-';
const DEFAULT_LIFETIME_SECONDS = 3_600;
const MAX_LIFETIME_SECONDS = 86_400;

/** Ended tokens are kept this long: a client that presents one learns that it has expired. */
const KEPT_HOURS = 24;

/**
 * Creates job tokens: short-lived credentials with which a job acts as the user who requested
 * them, in one project and on few endpoints.
 */
@Injectable()
export class JobTokensService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: AccessTokensRepository,
    private readonly creation: TokenCreationService,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a job token, which expires with the requesting token at the latest. Throws 400 for a
   * lifetime of more than a day, 401 when the presented token was revoked meanwhile, 403 for bots,
   * 404 when the project is being deleted.
   */
  async create(
    project: { id: number },
    { dto, viewer }: { dto: CreateJobTokenDto; viewer: Viewer },
    auth: AuthContext,
  ): Promise<MintedToken> {
    const seconds = dto.expires_in ?? DEFAULT_LIFETIME_SECONDS;
    if (seconds > MAX_LIFETIME_SECONDS) {
      throw new InvalidParamsError(['expires_in has a value not allowed']);
    }
    if (viewer.userType !== 'human') throw new ForbiddenError('Bots cannot create job tokens');
    const now = this.clock.now();
    return this.dataSource.transaction(async (tx) => {
      const parent = await this.lockParent(tx, auth);
      await this.tokens.lockResource(tx, { kind: 'project', id: project.id });
      // Keeps the table from growing with every job.
      const before = new Date(now.getTime() - KEPT_HOURS * 3_600_000);
      await this.tokens.deleteExpiredJobTokens(tx, project.id, before);
      const token = {
        userId: viewer.id,
        name: 'Job token',
        // Only Git checks scopes here; endpoints accept job tokens by declaration.
        scopes: ['read_repository', 'write_repository'] as const,
        kind: 'job' as const,
        expiresAt: earlier(new Date(now.getTime() + seconds * 1_000), parent?.expiresAt ?? null),
        familyId: parent === null ? null : familyOf(parent),
        projectId: project.id,
        raw: generateCredential(PREFIX),
      };
      return this.creation.mint(tx, token, auth);
    });
  }

  /** Returns the presented token and keeps it from being revoked until the transaction ends. */
  private async lockParent(
    tx: EntityManager,
    { credential }: AuthContext,
  ): Promise<AccessToken | null> {
    if (credential === null) return null;
    const token = await this.tokens.lockFamily(tx, credential.tokenId);
    if (token.revokedAt !== null) throw new UnauthorizedError();
    return token;
  }
}

function earlier(moment: Date, bound: Date | null): Date {
  return bound !== null && bound < moment ? bound : moment;
}
