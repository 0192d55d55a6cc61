import { Controller, Get, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { Page } from '../../../core/access/access.decorator.js';
import {
  Auth,
  CurrentUser,
  type AuthContext,
  type Viewer,
} from '../../../core/access/auth-context.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { Input, parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { formErrors, FormInput, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CreateGroupDto, NewGroupPageDto } from '../group.dto.js';
import { GroupsService, newGroup } from '../groups.service.js';
import { type GroupRow, GroupsRepository } from '../groups.repository.js';
import { assertNamed, valuesOfForm, type GroupValues, GroupForm } from './container-form.js';
import { groupInfo } from './group-frame.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';

const EMPTY: GroupValues = {
  name: '',
  path: '',
  description: '',
  visibility: 'private',
  requestAccess: true,
  emailsEnabled: true,
};

/** Making groups. */
@Controller(atRoot('groups/new'))
@Page('signed_in')
export class NewGroupPagesController {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly service: GroupsService,
  ) {}

  /** Shows the form to users who can create groups there. */
  @Get()
  async form(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Input() { parent_id: parentId }: NewGroupPageDto,
  ): Promise<HttpResponse> {
    const parent = await this.placeFor(parentId ?? null, viewer);
    return this.show(pageContext, parent, { values: EMPTY, errors: null });
  }

  @Post()
  @RateLimit('create')
  async create(
    @Context() pageContext: PageContext,
    @CurrentUser() viewer: Viewer,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const { parent_id: parentId } = await parseInput(NewGroupPageDto, form);
    const parent = await this.placeFor(parentId ?? null, viewer);
    try {
      assertNamed(form);
      const dto = await parseInput(CreateGroupDto, form);
      const id = await this.service.create(newGroup(dto), viewer, auth);
      const { fullPath } = await this.groups.getById(id, viewer.id);
      return pageContext.redirect(`/groups/${fullPath}`, { notice: 'Group created.' });
    } catch (error) {
      const errors = formErrors(error);
      return this.show(pageContext, parent, { values: valuesOfForm(form), errors });
    }
  }

  /** The group above; throws 403 and 404 as its creation would. */
  private async placeFor(parentId: number | null, viewer: Viewer): Promise<GroupRow | null> {
    await this.service.assertMayAddTo(parentId, viewer);
    return parentId === null ? null : this.groups.getById(parentId, viewer.id);
  }

  private show(
    pageContext: PageContext,
    parent: GroupRow | null,
    filled: { values: GroupValues; errors: FormProblems | null },
  ): HttpResponse {
    const content = NewGroupPage({ csrfToken: pageContext.csrfToken, parent, ...filled });
    const info = parent === null ? null : groupInfo(parent, 'New subgroup');
    const top = { title: 'New group', nav: 'groups' as const };
    return pageContext.render(content, info ?? top, filled.errors === null ? 200 : 422);
  }
}

interface NewGroupPageProps {
  csrfToken: string;
  parent: GroupRow | null;
  values: GroupValues;
  errors: FormProblems | null;
}

/** The form for a new group or subgroup. */
function NewGroupPage({ csrfToken, parent, values, errors }: NewGroupPageProps): VNode {
  const title = parent === null ? 'New group' : `New subgroup of ${parent.name}`;
  return (
    <>
      <PageHeader
        title={title}
        description="Groups contain projects and subgroups. Members inherit access to everything in the group."
      />
      <Card>
        <GroupForm
          action="/groups/new"
          csrfToken={csrfToken}
          values={values}
          errors={errors}
          prefix={parent === null ? '' : `${parent.fullPath}/`}
          parentId={parent === null ? '' : String(parent.id)}
        >
          <Button>Create group</Button>
          <ButtonLink
            href={parent === null ? '/dashboard/groups' : `/groups/${parent.fullPath}`}
            variant="ghost"
          >
            Cancel
          </ButtonLink>
        </GroupForm>
      </Card>
    </>
  );
}
