import { ForbiddenError } from '../../core/errors.js';
import { gitOutput } from '../../git/git-process.js';
import type { RefCommand } from '../../git/inflight-write.entity.js';
import { isAncestor } from '../../git/reading/merge-bases.js';
import type { OpenRepository } from '../../git/reading/repository-reader.service.js';
import { BRANCH_PREFIX } from '../../git/reference-name.js';
import { mayPushTo, referenceProblem, type ReferenceRights } from '../../git/reference-policy.js';
import { updateReferences } from '../../git/reference-updates.js';
import type { ActiveWrite } from '../../git/repository-writer.service.js';

/** A repository while it is changed, and what its changer can do with refs. */
export class OpenChange implements OpenRepository {
  readonly path: string;

  constructor(
    private readonly write: ActiveWrite,
    readonly rights: ReferenceRights,
  ) {
    this.path = write.path;
  }

  /** Tests for a repository without any commits on branches. */
  async hasNoBranches(): Promise<boolean> {
    const args = ['for-each-ref', '--count=1', '--format=%(refname)', BRANCH_PREFIX];
    return (await gitOutput(args, { cwd: this.path })).length === 0;
  }

  /** 403 for a protected branch of which the changer is no keeper. */
  assertMayPushTo(branch: string): void {
    if (mayPushTo(branch, this.rights)) return;
    throw new ForbiddenError('You are not allowed to push into this branch');
  }

  /** Throws 403 for a ref update that is forbidden in general, or for the user. */
  async assertAllowed(command: RefCommand): Promise<void> {
    const problem = await referenceProblem({
      command,
      rights: this.rights,
      isFastForward: () => isAncestor(this, command.oldOid, command.newOid),
    });
    if (problem !== null) throw new ForbiddenError(problem);
  }

  /** The last word before refs move. Throws 403, RepositoryReadOnlyError. */
  async confirm(commands: readonly RefCommand[]): Promise<void> {
    for (const command of commands) await this.assertAllowed(command);
    await this.write.confirm(commands);
  }

  /** Moves refs after `confirm`; returns its commands. Throws as `updateReferences` does. */
  async move(...commands: RefCommand[]): Promise<readonly RefCommand[]> {
    await this.confirm(commands);
    await updateReferences(this.path, commands);
    return commands;
  }
}
