import { Injectable } from '@nestjs/common';
import type { Credential } from '../../core/access/auth-context.js';
import { PROJECT_ABILITIES } from '../members/abilities.js';
import { MembersRepository } from '../members/members.repository.js';
import { ROLES } from '../members/roles.js';
import { TokenLookup } from '../tokens/token-lookup.service.js';

/** A job token is always one of a project. */
export type JobCredential = Credential & { projectId: number };

/** True for the credential of a job token. */
export function isJobCredential(credential: Credential | null): credential is JobCredential {
  return credential?.kind === 'job' && credential.projectId !== null;
}

/** Finds who presents a job token, for the few endpoints that accept one. */
@Injectable()
export class JobTokenLookup {
  constructor(
    private readonly tokens: TokenLookup,
    private readonly members: MembersRepository,
  ) {}

  /**
   * null for a value that is no job token, and when its user has meanwhile lost the role that
   * justified it. Expiry, revocation and the user's state are still to be judged.
   */
  async find(raw: string): Promise<JobCredential | null> {
    const credential = await this.tokens.findAny(raw);
    if (!isJobCredential(credential)) return null;
    const { user, projectId } = credential;
    if (user.admin) return credential;
    const level = await this.members.levelInProject(user.id, projectId);
    return level >= ROLES[PROJECT_ABILITIES.create_job_token] ? credential : null;
  }
}
