import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { AuthContext } from '../core/access/auth-context.js';
import type { Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { generateCredential } from '../core/digest.js';
import { ForbiddenError, InvalidParamsError, UnauthorizedError } from '../core/errors.js';
import type { AccessToken } from '../tokens/access-token.entity.js';
import { TokenCreationService } from '../tokens/token-creation.service.js';
import type { MintedToken } from '../tokens/token-details.js';
import { familyOf, lockFamily } from '../tokens/token-family.js';
import type { CreateJobTokenDto } from './dto/create-job-token.dto.js';
import { lockResource } from './token-resource.js';

const PREFIX = 'svcjt-';
const DEFAULT_LIFETIME_SECONDS = 3_600;
const MAX_LIFETIME_SECONDS = 86_400;

/** Ended tokens are kept this long, so that who presents one is told that it has ended. */
const KEPT_HOURS = 24;

/**
 * Makes job tokens: short-lived credentials with which a job acts as the person who asked for
 * them, in one project and on few endpoints.
 */
@Injectable()
export class JobTokensService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: TokenCreationService,
    private readonly clock: Clock,
  ) {}

  /**
   * The token ends with the one that asks for it, at the latest. Throws 400 for a life of more
   * than a day, 401 when the asking token was revoked meanwhile, 403 for bots, 404 when the
   * project is being deleted.
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
      const parent = await lockParent(tx, auth);
      await lockResource(tx, { kind: 'project', id: project.id });
      await forgetEnded(tx, project.id, now);
      const token = {
        userId: viewer.id,
        name: 'Job token',
        // Only Git asks for scopes here; endpoints open themselves to job tokens.
        scopes: ['read_repository', 'write_repository'] as const,
        kind: 'job' as const,
        expiresAt: earlier(new Date(now.getTime() + seconds * 1_000), parent?.expiresAt ?? null),
        familyId: parent === null ? null : familyOf(parent),
        projectId: project.id,
        raw: generateCredential(PREFIX),
      };
      return this.tokens.mint(tx, token, auth);
    });
  }
}

/** The token that asks, which nobody can revoke until the transaction ends; null without one. */
async function lockParent(
  tx: EntityManager,
  { credential }: AuthContext,
): Promise<AccessToken | null> {
  if (credential === null) return null;
  const token = await lockFamily(tx, credential.tokenId);
  if (token.revokedAt !== null) throw new UnauthorizedError();
  return token;
}

function earlier(moment: Date, bound: Date | null): Date {
  return bound !== null && bound < moment ? bound : moment;
}

/** Keeps the table from growing with every job. */
async function forgetEnded(tx: EntityManager, projectId: number, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_HOURS * 3_600_000);
  await tx.query(
    `DELETE FROM access_tokens WHERE project_id = $1 AND kind = 'job' AND expires_at < $2`,
    [projectId, before],
  );
}
