import { Controller, Post } from '@nestjs/common';
import { Auth, type AuthContext, type SignedInContext } from '../../../core/access/auth-context.js';
import { ForbiddenError, NotFoundError, ValidationFailedError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { assertPathConfirmed } from '../../../core/ui/components/confirm-button.js';
import { FormInput, given, refusalText } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { GroupTransferService } from '../../groups/group-transfer.service.js';
import { GroupsRepository, type GroupRow } from '../../groups/groups.repository.js';
import { ProjectTransferService } from '../project-transfer.service.js';
import { fullPathOf, ProjectsRepository, type ProjectRow } from '../projects.repository.js';
import {
  ContainerPage,
  CurrentContainer,
  ofContainer,
  type PageContainer,
} from './container-page.guard.js';

/** Moving a project or group to another namespace; for its owners. */
@Controller(ofContainer('transfer'))
export class TransferPagesController {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly groups: GroupsRepository,
    private readonly projectTransfers: ProjectTransferService,
    private readonly groupTransfers: GroupTransferService,
  ) {}

  /** Transfers it; an error leads back to the settings and is shown there. */
  @Post()
  @ContainerPage({ project: 'own_project', group: 'admin_group' }, 'signed_in')
  async transfer(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Auth() auth: SignedInContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const location = given(form, 'location')
      .split('/')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join('/');
    try {
      assertPathConfirmed(form, container.fullPath);
      const path =
        container.kind === 'group'
          ? await this.transferGroup(container.group, location, auth)
          : await this.transferProject(container.project, location, auth);
      const notice = `${container.kind === 'group' ? 'Group' : 'Project'} transferred.`;
      return pageContext.redirect(path, { notice });
    } catch (error) {
      const alert = refusalText(asProblem(error, container.kind));
      return pageContext.redirect(`${container.path}/-/edit`, { alert });
    }
  }

  /** Returns the new address. */
  private async transferProject(
    project: ProjectRow,
    location: string,
    auth: AuthContext,
  ): Promise<string> {
    await this.projectTransfers.transfer(project, location, auth);
    const moved = await this.projects.getById(project.id, auth.viewer?.id ?? null);
    return `/${fullPathOf(moved)}`;
  }

  private async transferGroup(
    group: GroupRow,
    location: string,
    auth: SignedInContext,
  ): Promise<string> {
    const { viewer } = auth;
    const parent =
      location === '' ? null : await this.groups.findByIdOrPath({ path: location }, viewer.id);
    if (location !== '' && parent === null) throw new NotFoundError('Group');
    await this.groupTransfers.transfer(group, parent?.group.id ?? null, { viewer, actor: auth });
    const moved = await this.groups.getById(group.id, viewer.id);
    return `/groups/${moved.fullPath}`;
  }
}

/** Does not tell an unknown namespace from one that the viewer cannot use. */
function asProblem(error: unknown, kind: PageContainer['kind']): unknown {
  if (!(error instanceof NotFoundError) && !(error instanceof ForbiddenError)) return error;
  const text =
    kind === 'group'
      ? "You can't create subgroups there, or the group doesn't exist."
      : "You can't create projects there, or the namespace doesn't exist.";
  return new ValidationFailedError({ base: [text] });
}
