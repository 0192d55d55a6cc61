import { Controller, Get, Post } from '@nestjs/common';
import type { VNode } from 'preact';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import { assertAvatarGiven, AvatarDto } from '../../../core/avatars/avatar.dto.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { AvatarCard } from '../../../core/ui/components/avatar.js';
import { assertPathConfirmed, ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { formErrors, FormInput, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { transferLocations } from '../group-transfer.service.js';
import { UpdateGroupDto } from '../group.dto.js';
import { CurrentGroup, GroupPage } from '../group-access.guard.js';
import { groupChange, GroupUpdateService } from '../group-update.service.js';
import { GroupsService } from '../groups.service.js';
import { type GroupRow, GroupsRepository } from '../groups.repository.js';
import {
  assertNamed,
  GroupForm,
  SUGGESTED_LOCATIONS,
  TransferCard,
  valuesOfForm,
  valuesOfGroup,
  type GroupValues,
  RepositoryStorageCard,
} from './container-form.js';
import { groupInfo } from './group-frame.js';
import { Button } from '../../../core/ui/components/button.js';
import { Card, PageHeader } from '../../../core/ui/components/content.js';

interface FilledForm {
  values: GroupValues;
  errors: FormProblems | null;
  avatarErrors?: FormProblems;
}

/** Changing and deleting a group; for its owners. */
@Controller(atRoot('groups/*group_path/-'))
export class GroupSettingsPagesController {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly updates: GroupUpdateService,
    private readonly service: GroupsService,
  ) {}

  @Get('edit')
  @GroupPage('admin_group', 'signed_in')
  form(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
  ): Promise<HttpResponse> {
    return this.show(pageContext, group, { values: valuesOfGroup(group), errors: null });
  }

  @Post('edit')
  @GroupPage('admin_group', 'signed_in')
  async update(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    try {
      assertNamed(form);
      const dto = await parseInput(UpdateGroupDto, form);
      await this.updates.update(group, groupChange(dto), auth);
    } catch (error) {
      return this.show(pageContext, group, {
        values: valuesOfForm(form),
        errors: formErrors(error),
      });
    }
    const { fullPath } = await this.groups.getById(group.id, auth.viewer?.id ?? null);
    return pageContext.redirect(`/groups/${fullPath}/-/edit`, { notice: 'Group updated.' });
  }

  @Post('avatar')
  @GroupPage('admin_group', 'signed_in')
  async changeAvatar(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(AvatarDto, form);
      assertAvatarGiven(dto);
      await this.updates.update(group, dto, auth);
    } catch (error) {
      const values = valuesOfGroup(group);
      return this.show(pageContext, group, {
        values,
        errors: null,
        avatarErrors: formErrors(error),
      });
    }
    return pageContext.redirect(`/groups/${group.fullPath}/-/edit`, { notice: 'Avatar updated.' });
  }

  /** Deletes the group with everything below. */
  @Post('delete')
  @GroupPage('admin_group', 'signed_in')
  async delete(
    @Context() pageContext: PageContext,
    @CurrentGroup() group: GroupRow,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    try {
      assertPathConfirmed(form, group.fullPath);
      await this.service.requestDeletion(group, auth);
    } catch (error) {
      return this.show(pageContext, group, {
        values: valuesOfGroup(group),
        errors: formErrors(error),
      });
    }
    return pageContext.redirect('/dashboard/groups', {
      notice: `Group ${group.fullPath} deleted.`,
    });
  }

  private async show(
    pageContext: PageContext,
    group: GroupRow,
    filled: FilledForm,
  ): Promise<HttpResponse> {
    const moved = { kind: 'group', groupId: group.id, parentId: group.parentId } as const;
    const query = transferLocations(moved, pageContext.viewer);
    const locations = await this.groups.listAfter(query, null, SUGGESTED_LOCATIONS);
    const content = GroupSettingsPage({ pageContext, group, locations, ...filled });
    const isRefused = filled.errors !== null || filled.avatarErrors !== undefined;
    return pageContext.render(content, groupInfo(group, 'Settings'), isRefused ? 422 : 200);
  }
}

interface GroupSettingsProps extends FilledForm {
  pageContext: PageContext;
  group: GroupRow;
  /** Groups to which it can be transferred. */
  locations: readonly GroupRow[];
}

/** Changing and deleting a group. */
function GroupSettingsPage(props: GroupSettingsProps): VNode {
  const { pageContext, group, values, errors, avatarErrors, locations } = props;
  const { csrfToken } = pageContext;
  const base = `/groups/${group.fullPath}`;
  const prefix = group.fullPath.slice(0, -group.path.length);
  return (
    <>
      <PageHeader title="Settings" />
      <Card title="General">
        <GroupForm
          action={`${base}/-/edit`}
          csrfToken={csrfToken}
          values={values}
          errors={errors}
          prefix={prefix}
          parentId=""
        >
          <Button>Save changes</Button>
        </GroupForm>
      </Card>
      <AvatarCard
        action={`${base}/-/avatar`}
        csrfToken={csrfToken}
        kind="group"
        owner={group}
        errors={avatarErrors?.fields['avatar']}
      />
      {pageContext.viewer?.admin === true && (
        <RepositoryStorageCard
          kind="group"
          // A path of digits would be taken for an ID.
          container={/^\d+$/.test(group.fullPath) ? group.id : group.fullPath}
          storage={group.repositoryStorage}
          isReadOnly={group.repositoryReadOnly}
        />
      )}
      <TransferCard
        kind="group"
        path={group.fullPath}
        action={`${base}/-/transfer`}
        csrfToken={csrfToken}
        suggestions={locations.map(({ fullPath }) => fullPath)}
      />
      <Card title="Delete group">
        <p>Deletes the group with its subgroups, projects, repositories and snippets.</p>
        <ConfirmButton
          label="Delete group"
          title={`Delete group ${group.fullPath}?`}
          question={`This permanently deletes ${group.fullPath} with all of its projects.`}
          confirm={`Delete ${group.path}`}
          path={group.fullPath}
          action={`${base}/-/delete`}
          csrfToken={csrfToken}
        />
      </Card>
    </>
  );
}
